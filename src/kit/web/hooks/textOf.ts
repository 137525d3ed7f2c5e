/**
 * The text of a file a person chose. Old Hebrew files are in windows-1255: what is no UTF-8 is read so. Of a
 * piece cut out of a file the last letter may be half, which is no reason to refuse it.
 */
export async function textOf(blob: Blob): Promise<string> {
  const bytes = await blob.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1255').decode(bytes)
  }
}
