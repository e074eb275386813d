/* HDR film in, SDR film out: how an application embeds vktonemap.
 *
 *   transcode INPUT OUTPUT.mp4 [DEVICE]
 *
 * Builds the pipeline in code, gives it a device context of its own (which
 * other pipelines of the application could share), shows progress, finishes
 * the file on Ctrl-C, and prints what the GPU was asked to do. Video only. */
#include <glib-unix.h>
#include <gst/gst.h>
#include <gst/base/gstvkccontext.h>

typedef struct
{
  GMainLoop *loop;
  GstElement *pipeline, *tonemap;
  gboolean failed;
} App;

static void
decoded_pad (GstElement *decoder, GstPad *pad, App *app)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (app->tonemap, "sink");
  g_autoptr (GstCaps) video = gst_caps_from_string ("video/x-raw(ANY)");
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);

  if (!gst_pad_is_linked (sink) && gst_caps_can_intersect (caps, video))
    gst_pad_link (pad, sink);
}

static gboolean
handle_message (GstBus *bus, GstMessage *message, App *app)
{
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("\n%s: %s\n", GST_MESSAGE_SRC_NAME (message),
                error->message);
    app->failed = TRUE;
  }
  if (app->failed || GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    g_main_loop_quit (app->loop);
  return G_SOURCE_CONTINUE;
}

static gboolean
show_progress (App *app)
{
  gint64 position, duration;

  if (gst_element_query_position (app->pipeline, GST_FORMAT_TIME, &position)
      && gst_element_query_duration (app->pipeline, GST_FORMAT_TIME,
                                     &duration))
    g_print ("\r%.1f of %.1f s", (double) position / GST_SECOND,
             (double) duration / GST_SECOND);
  return G_SOURCE_CONTINUE;
}

/* The end of the stream travels through the pipeline, so that the muxer can
 * write its index. A second Ctrl-C ends at once. */
static gboolean
finish (App *app)
{
  gst_element_send_event (app->pipeline, gst_event_new_eos ());
  return G_SOURCE_REMOVE;
}

static guint64
count (const GstStructure *stats, const gchar *name)
{
  guint64 n = 0;

  gst_structure_get_uint64 (stats, name, &n);
  return n;
}

static void
print_stats (App *app, double seconds)
{
  g_autoptr (GstStructure) stats = NULL, recorder = NULL, element = NULL;

  g_object_get (app->tonemap, "stats", &stats, NULL);
  gst_structure_get (stats, "recorder", GST_TYPE_STRUCTURE, &recorder,
                     "element", GST_TYPE_STRUCTURE, &element, NULL);
  g_autofree gchar *whole = gst_structure_to_string (recorder);
  g_autofree gchar *own = gst_structure_to_string (element);
  const guint64 frames = count (element, "planned");

  g_print ("\n%s\n%s\n", whole, own);
  if (frames == 0)
    g_print ("nothing to do: the film is SDR\n");
  else
    g_print ("device: %s\nframes: %" G_GUINT64_FORMAT "\n"
             "submissions per frame: %.2f\nwaits per frame: %.2f\n"
             "frames per second: %.1f\n",
             gst_structure_get_string (recorder, "device"), frames,
             (double) count (recorder, "submits") / frames,
             (double) count (recorder, "waits") / frames, frames / seconds);
}

static gboolean
build (App *app, const gchar *input, const gchar *output)
{
  GstElement *source = gst_element_factory_make ("filesrc", NULL);
  GstElement *decoder = gst_element_factory_make ("decodebin", NULL);
  GstElement *encoder = gst_element_factory_make ("x264enc", NULL);
  GstElement *muxer = gst_element_factory_make ("mp4mux", NULL);
  GstElement *sink = gst_element_factory_make ("filesink", NULL);

  app->tonemap = gst_element_factory_make ("vktonemap", NULL);
  if (!source || !decoder || !app->tonemap || !encoder || !muxer || !sink) {
    g_printerr ("An element is missing; is GST_PLUGIN_PATH set?\n");
    return FALSE;
  }
  g_object_set (source, "location", input, NULL);
  g_object_set (sink, "location", output, NULL);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (decoded_pad), app);

  app->pipeline = gst_pipeline_new (NULL);
  gst_bin_add_many (GST_BIN (app->pipeline), source, decoder, app->tonemap,
                    encoder, muxer, sink, NULL);
  return gst_element_link (source, decoder)
      && gst_element_link_many (app->tonemap, encoder, muxer, sink, NULL);
}

int
main (int argc, char **argv)
{
  App app = { 0 };
  gint64 started;

  if (argc < 3) {
    g_print ("usage: %s INPUT OUTPUT.mp4 [DEVICE]\n", argv[0]);
    return argc == 2 && g_str_equal (argv[1], "--help") ? 0 : 2;
  }
  gst_init (&argc, &argv);
  if (!build (&app, argv[1], argv[2]))
    return 1;

  g_autoptr (GstVkcContext) context = gst_vkc_context_new (argv[3]);
  g_autoptr (GstContext) wrapped = gst_vkc_context_wrap (context);
  g_autoptr (GstBus) bus = gst_element_get_bus (app.pipeline);

  gst_element_set_context (app.pipeline, wrapped);
  gst_bus_add_watch (bus, (GstBusFunc) handle_message, &app);
  app.loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGINT, (GSourceFunc) finish, &app);
  g_timeout_add (250, (GSourceFunc) show_progress, &app);

  started = g_get_monotonic_time ();
  gst_element_set_state (app.pipeline, GST_STATE_PLAYING);
  g_main_loop_run (app.loop);
  if (!app.failed)
    print_stats (&app, (double) (g_get_monotonic_time () - started)
                           / G_USEC_PER_SEC);

  gst_element_set_state (app.pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (app.pipeline);
  g_main_loop_unref (app.loop);
  return app.failed ? 1 : 0;
}
