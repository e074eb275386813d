/* Frames in linear buffers as words: source_words[], target_words[], and two or
 * four of them at a time, which begin at multiples of as many.
 *
 * With ADDRESSES they are read and written at the buffers' addresses. For
 * each word of a descriptor a CPU looks where the buffer ends, one lane after
 * the other; at addresses all lanes' words are one instruction. So nothing but
 * the kernel itself keeps to the buffers. */

#ifdef ADDRESSES
layout (buffer_reference, std430, buffer_reference_align = 4) buffer WordsAt
{
  uint words[];
};

layout (buffer_reference, std430, buffer_reference_align = 8) buffer PairsAt
{
  uint64_t pairs[];
};
#endif

#ifdef SOURCE_BUFFER
#ifdef ADDRESSES
#define source_words WordsAt (params.source_at).words

uvec2 load_pair (uint i)
{
  return unpackUint2x32 (PairsAt (params.source_at).pairs[i]);
}

uvec4 load_quad (uint i)
{
  return uvec4 (load_pair (2 * i), load_pair (2 * i + 1));
}
#else
layout (std430, set = 0, binding = BINDING_SOURCE) readonly restrict buffer
Source
{
  uint source_words[];
};

/* The same, several words at a time: each lane's load is checked once and not
 * for every word. */
layout (std430, set = 0, binding = BINDING_SOURCE) readonly restrict buffer
SourcePairs
{
  uvec2 source_pairs[];
};

layout (std430, set = 0, binding = BINDING_SOURCE) readonly restrict buffer
SourceQuads
{
  uvec4 source_quads[];
};

uvec2 load_pair (uint i)
{
  return source_pairs[i];
}

uvec4 load_quad (uint i)
{
  return source_quads[i];
}
#endif
#endif

#ifdef TARGET_BUFFER
#ifdef ADDRESSES
#define target_words WordsAt (params.target_at).words

void store_pair (uint i, uvec2 pair)
{
  PairsAt (params.target_at).pairs[i] = packUint2x32 (pair);
}

void store_quad (uint i, uvec4 quad)
{
  store_pair (2 * i, quad.xy);
  store_pair (2 * i + 1, quad.zw);
}
#else
layout (std430, set = 0, binding = BINDING_TARGET) writeonly restrict buffer
Target
{
  uint target_words[];
};

layout (std430, set = 0, binding = BINDING_TARGET) writeonly restrict buffer
TargetPairs
{
  uvec2 target_pairs[];
};

layout (std430, set = 0, binding = BINDING_TARGET) writeonly restrict buffer
TargetQuads
{
  uvec4 target_quads[];
};

void store_pair (uint i, uvec2 pair)
{
  target_pairs[i] = pair;
}

void store_quad (uint i, uvec4 quad)
{
  target_quads[i] = quad;
}
#endif
#endif
