/** Pictures on paper: only PNG and JPEG, told by their first bytes, never by a file name. */
export type ImageKind = 'png' | 'jpeg'

export function imageKind(bytes: Uint8Array): ImageKind | null {
  if (bytes.length > 24 && bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47)
    return 'png'
  if (bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  return null
}

/** Width and height in pixels, or null when this is no picture we print. */
export function imageSize(bytes: Uint8Array): { width: number; height: number } | null {
  const kind = imageKind(bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (kind === 'png') return sound(view.getUint32(16), view.getUint32(20))
  if (kind !== 'jpeg') return null
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]!
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return sound(view.getUint16(at + 7), view.getUint16(at + 5))
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

const sound = (width: number, height: number) => (width > 0 && height > 0 ? { width, height } : null)
