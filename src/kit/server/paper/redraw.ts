import { imageSize } from './image.ts'

const mostPixels = 24_000_000

export interface Redrawn {
  bytes: Uint8Array
  width: number
  height: number
}

/**
 * A picture of a stranger drawn again within bounds, so that nothing of the bytes that came is kept; only ever
 * called in a thread. PNG keeps what is clear, JPEG lies on white. 'no': it is no PNG or JPEG that can be
 * drawn; 'large': it would take too much to open.
 */
export async function redraw(
  bytes: Uint8Array,
  { widest, highest, as }: { widest: number; highest: number; as: 'png' | 'jpeg' },
): Promise<Redrawn | 'no' | 'large'> {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = imageSize(given)
  if (!size) return 'no'
  if (size.width * size.height > mostPixels) return 'large'
  try {
    const { createCanvas, loadImage } = await import('@napi-rs/canvas')
    const image = await loadImage(given)
    const scale = Math.min(1, widest / image.width, highest / image.height)
    const canvas = createCanvas(
      Math.max(1, Math.round(image.width * scale)),
      Math.max(1, Math.round(image.height * scale)),
    )
    const draw = canvas.getContext('2d')
    if (as === 'jpeg') {
      draw.fillStyle = '#ffffff'
      draw.fillRect(0, 0, canvas.width, canvas.height)
    }
    draw.drawImage(image, 0, 0, canvas.width, canvas.height)
    const drawn = as === 'jpeg' ? await canvas.encode('jpeg', 82) : await canvas.encode('png')
    return { bytes: drawn, width: canvas.width, height: canvas.height }
  } catch {
    return 'no'
  }
}
