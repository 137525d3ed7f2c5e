/** Sides of a logo, in pixels. */
export const smallestSide = 10
export const largestSide = 2000

/**
 * The size a cut of so many pixels is written in: within the limits, its shape kept as well as whole pixels
 * allow.
 */
export function outputSize(width: number, height: number): { width: number; height: number } {
  const shrink = Math.min(1, largestSide / Math.max(width, height))
  const grow = Math.max(1, smallestSide / (Math.min(width, height) * shrink))
  const side = (pixels: number) =>
    Math.min(largestSide, Math.max(smallestSide, Math.round(pixels * shrink * grow)))
  return { width: side(width), height: side(height) }
}

/** Cuts an area out of a picture and writes it as JPEG; what was transparent becomes white, as paper is. */
export async function cutPicture(
  url: string,
  area: { x: number; y: number; width: number; height: number },
): Promise<Blob> {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  const { width, height } = outputSize(area.width, area.height)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const brush = canvas.getContext('2d')
  if (!brush) throw new Error('no canvas')
  brush.fillStyle = '#fff'
  brush.fillRect(0, 0, width, height)
  brush.imageSmoothingQuality = 'high'
  brush.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, width, height)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', 0.92),
  )
}
