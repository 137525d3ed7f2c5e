// From a photograph to letters on even ground: size, orientation, shadow, tilt. Plain JavaScript, because it
// runs in the reader's thread.
import { createCanvas, loadImage } from '@napi-rs/canvas'

/**
 * More pixels than this are refused before anything is decoded: a small file can claim to be a very large
 * picture.
 */
const mostPixels = 50_000_000

/** Width, height and EXIF orientation (1 to 8) from a picture's own bytes; undefined when they do not say. */
export function headOf(bytes) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length > 24 && view.readUInt32BE(0) === 0x89504e47)
    return { width: view.readUInt32BE(16), height: view.readUInt32BE(20), turn: 1 }
  if (view.length > 10 && view.toString('latin1', 0, 4) === 'GIF8')
    return { width: view.readUInt16LE(6), height: view.readUInt16LE(8), turn: 1 }
  if (
    view.length > 30 &&
    view.toString('latin1', 0, 4) === 'RIFF' &&
    view.toString('latin1', 8, 12) === 'WEBP'
  )
    return webpHead(view)
  if (view.length > 4 && view.readUInt16BE(0) === 0xffd8) return jpegHead(view)
  return undefined
}

function webpHead(view) {
  const chunk = view.toString('latin1', 12, 16)
  if (chunk === 'VP8X')
    return { width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1, turn: 1 }
  if (chunk === 'VP8 ')
    return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff, turn: 1 }
  const packed = view.readUInt32LE(21)
  return chunk === 'VP8L'
    ? { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1, turn: 1 }
    : undefined
}

function jpegHead(view) {
  let turn = 1
  for (let at = 2; at + 9 < view.length;) {
    if (view[at] !== 0xff) return undefined
    const marker = view[at + 1]
    if (marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const length = view.readUInt16BE(at + 2)
    if (length < 2) return undefined
    if (marker === 0xe1 && view.toString('latin1', at + 4, at + 8) === 'Exif')
      turn = exifTurn(view.subarray(at + 10, at + 2 + length)) ?? turn
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5), turn }
    at += 2 + length
  }
  return undefined
}

function exifTurn(tiff) {
  try {
    const little = tiff.toString('latin1', 0, 2) === 'II'
    const two = (at) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
    const start = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
    const count = two(start)
    for (let i = 0; i < Math.min(count, 200); i++) {
      const entry = start + 2 + i * 12
      if (two(entry) === 0x0112) return Math.min(8, Math.max(1, two(entry + 8)))
    }
  } catch {
    // A broken head says nothing about the orientation.
  }
  return undefined
}

/**
 * Decodes a picture upright on white, its longer side at most `side` pixels. Throws 'tooLarge' and 'broken'.
 */
export async function decode(bytes, side) {
  const head = headOf(bytes)
  if (!head || head.width < 1 || head.height < 1) throw new Error('broken')
  if (head.width * head.height > mostPixels || Math.max(head.width, head.height) > 20_000)
    throw new Error('tooLarge')
  let image
  try {
    image = await loadImage(bytes)
  } catch {
    throw new Error('broken')
  }
  // The decoder may have turned the picture itself; its width tells for the turns that change it.
  const lying = head.turn >= 5
  const turnedAlready = lying ? image.width === head.height && head.width !== head.height : false
  const turn = turnedAlready ? 1 : head.turn
  const [width, height] = turn >= 5 ? [image.height, image.width] : [image.width, image.height]
  const scale = Math.min(1, side / Math.max(width, height))
  const canvas = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const draw = canvas.getContext('2d')
  draw.fillStyle = '#ffffff'
  draw.fillRect(0, 0, canvas.width, canvas.height)
  draw.scale(scale, scale)
  const [w, h] = [image.width, image.height]
  const matrices = {
    2: [-1, 0, 0, 1, w, 0],
    3: [-1, 0, 0, -1, w, h],
    4: [1, 0, 0, -1, 0, h],
    5: [0, 1, 1, 0, 0, 0],
    6: [0, 1, -1, 0, h, 0],
    7: [0, -1, -1, 0, h, w],
    8: [0, -1, 1, 0, 0, w],
  }
  if (matrices[turn]) draw.transform(...matrices[turn])
  draw.drawImage(image, 0, 0)
  return canvas
}

/** A page for the reader of letters: grey, even ground, upright, about 300 dots to the inch. */
export function prepare(canvas) {
  const [w, h] = [canvas.width, canvas.height]
  const long = Math.max(w, h) / Math.min(w, h) > 1.9
  // A receipt is 80 mm wide, a page 210 mm; beyond what the picture holds nothing is gained.
  const target = long ? 1100 / Math.min(w, h) : 3000 / Math.max(w, h)
  const sized = resized(canvas, Math.min(Math.max(target, 0.25), 3))
  let grey = greyOf(sized)
  flatten(grey)
  const tilt = tiltOf(grey)
  const upright = Math.abs(tilt) < 0.15 ? canvas : rotated(canvas, -tilt)
  const raw = greyOf(upright === canvas ? sized : resized(upright, Math.min(Math.max(target, 0.25), 3)))
  if (upright !== canvas) {
    grey = { ...raw, data: raw.data.slice() }
    flatten(grey)
  }
  const band = cutOut(grey)
  return { upright, grey, tilt, band: band && bandOf(raw, band) }
}

/**
 * Paints white what lies around the paper: a dark table confuses the search for lines. The paper is the
 * largest white field; in each row it reaches from its first white cell to its last. Answers the strip above
 * it when there is one: a coloured head with white letters.
 */
function cutOut(grey) {
  const { width, height, data } = grey
  const cell = Math.max(8, Math.round(width / 140))
  const columns = Math.floor(width / cell)
  const rows = Math.floor(height / cell)
  const isWhite = new Uint8Array(columns * rows)
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      let sum = 0
      for (let y = r * cell; y < (r + 1) * cell; y += 2)
        for (let x = c * cell; x < (c + 1) * cell; x += 2) sum += data[y * width + x]
      isWhite[r * columns + c] = sum / Math.ceil(cell / 2) ** 2 > 238 ? 1 : 0
    }
  const field = largestField(isWhite, columns, rows)
  if (field.size < columns * rows * 0.25) return undefined
  const first = Array.from({ length: rows }, () => columns)
  const last = Array.from({ length: rows }, () => -1)
  for (const at of field) {
    const r = Math.floor(at / columns)
    first[r] = Math.min(first[r], at % columns)
    last[r] = Math.max(last[r], at % columns)
  }
  const top = last.findIndex((c) => c >= 0)
  const bottom = last.findLastIndex((c) => c >= 0)
  const left = Math.min(...first)
  const right = Math.max(...last)
  for (let r = 0; r < rows; r++) {
    // Lines of letters and coloured boxes interrupt the white: the rows around tell how far the paper goes.
    let [from, to] = [columns, -1]
    for (let near = Math.max(top, r - 3); near <= Math.min(bottom, r + 3); near++) {
      from = Math.min(from, first[near])
      to = Math.max(to, last[near])
    }
    const outside = r < top || r > bottom
    const end = r === rows - 1 ? height : (r + 1) * cell
    for (let y = r * cell; y < end; y++) {
      if (outside || to < 0) data.fill(255, y * width, (y + 1) * width)
      else {
        data.fill(255, y * width, y * width + from * cell)
        if (to < columns - 1) data.fill(255, y * width + (to + 1) * cell, (y + 1) * width)
      }
    }
  }
  const high = top * cell
  return high > height * 0.03 && high < height * 0.4
    ? { x: left * cell, y: 0, width: (right - left + 1) * cell, height: high }
    : undefined
}

/** The largest set of white cells that hang together. */
function largestField(isWhite, columns, rows) {
  const seen = new Uint8Array(isWhite.length)
  let largest = []
  for (let start = 0; start < isWhite.length; start++) {
    if (!isWhite[start] || seen[start]) continue
    const field = [start]
    seen[start] = 1
    for (let i = 0; i < field.length; i++) {
      const at = field[i]
      const c = at % columns
      for (const next of [c > 0 ? at - 1 : -1, c < columns - 1 ? at + 1 : -1, at - columns, at + columns])
        if (next >= 0 && next < rows * columns && isWhite[next] && !seen[next]) {
          seen[next] = 1
          field.push(next)
        }
    }
    if (field.length > largest.length) largest = field
  }
  return new Set(largest)
}

/** The strip turned to black on white. */
function bandOf(raw, { x, y, width, height }) {
  const data = new Uint8Array(width * height)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      data[row * width + column] = 255 - raw.data[(y + row) * raw.width + x + column]
  const grey = { width, height, data }
  flatten(grey)
  return { x, y, grey }
}

function resized(canvas, scale) {
  const out = createCanvas(
    Math.max(1, Math.round(canvas.width * scale)),
    Math.max(1, Math.round(canvas.height * scale)),
  )
  const draw = out.getContext('2d')
  draw.imageSmoothingEnabled = true
  draw.imageSmoothingQuality = 'high'
  draw.drawImage(canvas, 0, 0, out.width, out.height)
  return out
}

function rotated(canvas, degrees) {
  const out = createCanvas(canvas.width, canvas.height)
  const draw = out.getContext('2d')
  draw.fillStyle = '#ffffff'
  draw.fillRect(0, 0, out.width, out.height)
  draw.translate(out.width / 2, out.height / 2)
  draw.rotate((degrees * Math.PI) / 180)
  draw.drawImage(canvas, -canvas.width / 2, -canvas.height / 2)
  return out
}

function greyOf(canvas) {
  const { width, height } = canvas
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
  const grey = new Uint8Array(width * height)
  for (let i = 0, p = 0; i < grey.length; i++, p += 4)
    grey[i] = (data[p] * 77 + data[p + 1] * 150 + data[p + 2] * 29) >> 8
  return { width, height, data: grey }
}

/**
 * Divides each spot by the brightness of the paper around it, so that shadows and tinted paper become white.
 */
export function flatten(grey) {
  const { width, height, data } = grey
  const cell = Math.max(16, Math.round(Math.min(width, height) / 48))
  const columns = Math.ceil(width / cell)
  const rows = Math.ceil(height / cell)
  let ground = new Float32Array(columns * rows)
  const counts = new Uint32Array(256)
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      counts.fill(0)
      let n = 0
      const [bottom, right] = [Math.min(height, (r + 1) * cell), Math.min(width, (c + 1) * cell)]
      for (let y = r * cell; y < bottom; y++)
        for (let x = c * cell; x < right; x++) {
          counts[data[y * width + x]]++
          n++
        }
      // The brightness that only one spot in five exceeds: ink is darker, noise is left out.
      let above = 0
      let level = 255
      while (level > 0 && (above += counts[level]) < n * 0.2) level--
      ground[r * columns + c] = Math.max(level, 24)
    }
  ground = smooth(widest(ground, columns, rows), columns, rows)
  for (let y = 0; y < height; y++) {
    const fy = Math.min(Math.max(y / cell - 0.5, 0), rows - 1)
    const r = Math.min(Math.floor(fy), Math.max(rows - 2, 0))
    const below = Math.min(r + 1, rows - 1)
    for (let x = 0; x < width; x++) {
      const fx = Math.min(Math.max(x / cell - 0.5, 0), columns - 1)
      const c = Math.min(Math.floor(fx), Math.max(columns - 2, 0))
      const beside = Math.min(c + 1, columns - 1)
      const [u, v] = [fx - c, fy - r]
      const paper =
        (ground[r * columns + c] * (1 - u) + ground[r * columns + beside] * u) * (1 - v) +
        (ground[below * columns + c] * (1 - u) + ground[below * columns + beside] * u) * v
      const share = data[y * width + x] / paper
      // Paper becomes white, ink a little blacker.
      data[y * width + x] = share >= 0.94 ? 255 : Math.max(0, Math.round(((share - 0.12) / 0.82) * 255))
    }
  }
}

/**
 * A cell that is all ink (a black band, a picture) takes the paper of its neighbours only when they are not
 * much brighter.
 */
function widest(ground, columns, rows) {
  const out = new Float32Array(ground.length)
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const here = ground[r * columns + c]
      let top = here
      for (let dr = -1; dr <= 1; dr++)
        for (let dc = -1; dc <= 1; dc++) {
          const near =
            ground[
              Math.min(Math.max(r + dr, 0), rows - 1) * columns + Math.min(Math.max(c + dc, 0), columns - 1)
            ]
          if (near < here * 1.6) top = Math.max(top, near)
        }
      out[r * columns + c] = top
    }
  return out
}

function smooth(ground, columns, rows) {
  const out = new Float32Array(ground.length)
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      let [sum, n] = [0, 0]
      for (let dr = -1; dr <= 1; dr++)
        for (let dc = -1; dc <= 1; dc++) {
          const [y, x] = [r + dr, c + dc]
          if (y < 0 || x < 0 || y >= rows || x >= columns) continue
          sum += ground[y * columns + x]
          n++
        }
      out[r * columns + c] = sum / n
    }
  return out
}

/**
 * The tilt of the lines in degrees, within 8 either way: at the right angle the ink of lines falls into the
 * fewest rows.
 */
export function tiltOf(grey) {
  const step = Math.max(1, Math.round(Math.max(grey.width, grey.height) / 1100))
  const points = []
  for (let y = 0; y < grey.height; y += step)
    for (let x = 0; x < grey.width; x += step) {
      let darkest = 255
      for (let dy = 0; dy < step && y + dy < grey.height; dy++)
        darkest = Math.min(darkest, grey.data[(y + dy) * grey.width + x])
      if (darkest < 110) points.push(x / step, y / step)
    }
  if (points.length < 400) return 0
  const height = Math.ceil(grey.height / step)
  const width = Math.ceil(grey.width / step)
  const rows = new Float64Array(height + width)
  const sharpness = (degrees) => {
    rows.fill(0)
    const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
    for (let i = 0; i < points.length; i += 2)
      rows[Math.round(points[i + 1] * cos - points[i] * sin + width / 2)]++
    let sum = 0
    for (let i = 1; i < rows.length; i++) sum += (rows[i] - rows[i - 1]) ** 2
    return sum
  }
  const best = (from, to, by) => {
    let top = { degrees: 0, score: -1 }
    for (let degrees = from; degrees <= to + 1e-9; degrees += by) {
      const score = sharpness(degrees)
      if (score > top.score) top = { degrees, score }
    }
    return top
  }
  const rough = best(-8, 8, 0.5)
  if (rough.score < sharpness(0) * 1.03) return 0
  return best(rough.degrees - 0.5, rough.degrees + 0.5, 0.1).degrees
}

/** A portable grey map: the reader of letters takes it as it is, without packing and unpacking. */
export function pgm({ width, height, data }) {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1')
  return Buffer.concat([head, data])
}

/** A JPEG for the eye, its longer side at most `side`. */
export function jpegOf(canvas, side, quality) {
  const scale = Math.min(1, side / Math.max(canvas.width, canvas.height))
  const out = resized(canvas, scale)
  return out.encode('jpeg', quality).then((bytes) => ({ bytes, width: out.width, height: out.height }))
}

export function turnedBy(canvas, quarters) {
  const lying = quarters % 2 === 1
  const out = createCanvas(lying ? canvas.height : canvas.width, lying ? canvas.width : canvas.height)
  const draw = out.getContext('2d')
  draw.translate(out.width / 2, out.height / 2)
  draw.rotate((quarters * Math.PI) / 2)
  draw.drawImage(canvas, -canvas.width / 2, -canvas.height / 2)
  return out
}
