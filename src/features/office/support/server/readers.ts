import { fail } from '#kit/describe/errors.ts'
import { imageSize } from '#kit/server/paper/image.ts'

const widest = 1600
const highest = 4000
const mostPixels = 24_000_000

/** The picture of a page, drawn anew: nothing of the bytes that came is kept. */
async function redrawn({ bytes }: { bytes: Uint8Array }): Promise<{ bytes: Uint8Array; width: number; height: number }> {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = imageSize(given)
  if (!size) throw fail('support.notPicture')
  if (size.width * size.height > mostPixels) throw fail('support.pictureTooLarge')
  try {
    const { createCanvas, loadImage } = await import('@napi-rs/canvas')
    const image = await loadImage(given)
    const scale = Math.min(1, widest / image.width, highest / image.height)
    const canvas = createCanvas(Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale)))
    const draw = canvas.getContext('2d')
    draw.fillStyle = '#ffffff'
    draw.fillRect(0, 0, canvas.width, canvas.height)
    draw.drawImage(image, 0, 0, canvas.width, canvas.height)
    return { bytes: await canvas.encode('jpeg', 82), width: canvas.width, height: canvas.height }
  } catch {
    throw fail('support.notPicture')
  }
}

/** What a thread looks at for this feature. */
export const readers = { 'support.picture': redrawn }
