import { fail } from '#kit/describe/errors.ts'
import { imageSize } from '#kit/server/paper/image.ts'

const side = 320
/** Above this a picture would take more memory than a thumbnail is worth. */
const mostPixels = 60_000_000

/** Width and height of any picture we keep, from its own bytes; undefined when they do not say. */
function sizeOf(bytes: Buffer): { width: number; height: number } | undefined {
  const known = imageSize(bytes)
  if (known) return known
  if (bytes.length > 10 && bytes.toString('latin1', 0, 4) === 'GIF8')
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (bytes.length < 30 || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (chunk === 'VP8L') {
    const packed = bytes.readUInt32LE(21)
    return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 }
  }
  return undefined
}

/** A small JPEG of a picture, drawn again: nothing of the original's bytes is handed on. */
export async function thumbnailOf(bytes: Buffer): Promise<Buffer> {
  const size = sizeOf(bytes)
  if (!size || size.width * size.height > mostPixels) throw fail('files.broken')
  try {
    // Fetched when the first picture comes: a start should not wait for it.
    const { createCanvas, loadImage } = await import('@napi-rs/canvas')
    const image = await loadImage(bytes)
    const scale = Math.min(1, side / Math.max(image.width, image.height))
    const canvas = createCanvas(
      Math.max(1, Math.round(image.width * scale)),
      Math.max(1, Math.round(image.height * scale)),
    )
    const draw = canvas.getContext('2d')
    draw.fillStyle = '#ffffff'
    draw.fillRect(0, 0, canvas.width, canvas.height)
    draw.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await canvas.encode('jpeg', 80)
  } catch {
    throw fail('files.broken')
  }
}
