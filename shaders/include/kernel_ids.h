/* Numbers shared by C and GLSL: specialization constant ids, the values of the
 * enumerated ones, and the push constants of the colour kernel. */
#ifndef KERNEL_IDS_H
#define KERNEL_IDS_H

#endif
