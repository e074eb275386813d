/* What the files of GstVkcCompute share. */
#pragma once

#include "computeparameters.h"
#include "computeplan.h"
#include "computesettings.h"
#include "filewatch.h"
#include "gstvkccompute.h"

G_BEGIN_DECLS

struct _GstVkcCompute
{
  GstVkcFilter parent;

  /* Under the object's lock. */
  struct compute_settings settings;
  struct compute_program *program; /* between start() and stop() */
  struct compute_state *state;     /* of the plan */
  GstObject *parameters;           /* the child; NULL: not asked for */
  GPtrArray *files;                /* that the program was made of */
  gboolean started;

  gint reloaded;       /* atomic: the program, and nothing else */
  gint values_changed; /* atomic: settings.parameters */
  gint files_changed;  /* atomic: files, or whether to watch them */

  /* Of the streaming thread. */
  struct compute_plan *plan;
  struct file_watch *watch;
  GstVideoFormat explained; /* the last that was refused with a reason */
  guint64 n_frames;
  gboolean has_reports; /* perhaps on their way */
};

/* In gstvkccompute-shader.c: which shader runs, and the properties that say so.
 */

/* A reference, or NULL before start(). */
struct compute_program *gst_vkc_compute_get_program (GstVkcCompute *self);

/* Takes both. @files: NULL keeps those that are watched. */
void gst_vkc_compute_set_program (GstVkcCompute *self,
                                  struct compute_program *program,
                                  GPtrArray *files);

/* What `read-buffer` reads; takes a reference. Accepts NULL. */
void gst_vkc_compute_set_state (GstVkcCompute *self,
                                struct compute_state *state);

/* A copy to be cleared. */
void gst_vkc_compute_get_settings (GstVkcCompute *self,
                                   struct compute_settings *settings);

/* Reads and compiles on the calling thread, so that a broken file is the
 * message, of @type, of the one who named it. What runs goes on running then.
 */
gboolean gst_vkc_compute_load (GstVkcCompute *self, GstMessageType type);

/* The action signal, and what watching files ends in. */
gboolean gst_vkc_compute_reload (GstVkcCompute *self);

/* In gstvkccompute-caps.c. */
void gst_vkc_compute_class_init_caps (GstBaseTransformClass *klass);

/* The action signal. */
GBytes *gst_vkc_compute_read_buffer (GstVkcCompute *self, const gchar *name);

/* In gstvkccompute-child.c: the child object "parameters". */
void gst_vkc_compute_child_proxy_init (gpointer interface, gpointer data);

/* Another program may have other parameters. */
void gst_vkc_compute_renew_child (GstVkcCompute *self);
void gst_vkc_compute_drop_child (GstVkcCompute *self);

/* Of GObjectClass. */
void gst_vkc_compute_set_property (GObject *object, guint id,
                                   const GValue *value, GParamSpec *pspec);
void gst_vkc_compute_get_property (GObject *object, guint id, GValue *value,
                                   GParamSpec *pspec);

G_END_DECLS
