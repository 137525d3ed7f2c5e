import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { labelSheet, labelSizes, type LabelCode, type LabelSize } from '#features/sales/stock/web/labels.ts'

beforeAll(() => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  prepareZXingModule({
    overrides: {
      wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer,
    },
  })
})

/**
 * What the camera would see of the sheet: its rectangles at so many points a millimetre, as printers of
 * labels print (300 to the inch).
 */
function seen(
  svg: string,
  perMm = 11.8,
): { data: Uint8ClampedArray; width: number; height: number; colorSpace: 'srgb' } {
  const [, w, h] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!
  const [width, height] = [Math.round(Number(w) * perMm), Math.round(Number(h) * perMm)]
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const [, x, y, wide, high] of svg.matchAll(
    /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
  )) {
    const [from, to] = [Math.round(Number(x) * perMm), Math.round((Number(x) + Number(wide)) * perMm)]
    for (let row = Math.round(Number(y) * perMm); row < Math.round((Number(y) + Number(high)) * perMm); row++)
      for (let at = from; at < to; at++) data.fill(0, (row * width + at) * 4, (row * width + at) * 4 + 3)
  }
  return { data, width, height, colorSpace: 'srgb' }
}

const read = async (svg: string) =>
  (
    await readBarcodes(seen(svg) as ImageData, {
      formats: ['Code128', 'EAN13', 'EAN8', 'QRCode'],
      maxNumberOfSymbols: 30,
      tryHarder: true,
    })
  )
    .map(({ text, format }) => `${format} ${text}`)
    .toSorted()

const sizes = Object.keys(labelSizes) as LabelSize[]
const cases: [LabelCode, string, string][] = [
  ['bars', 'SN-000042', 'Code128 SN-000042'],
  ['bars', '1234567890', 'Code128 1234567890'],
  ['bars', 'a^b<c>"&', 'Code128 a^b<c>"&'],
  ['bars', '7290000066318', 'EAN13 7290000066318'],
  ['qr', 'SN-000042', 'QRCode SN-000042'],
  // Code 128 has no Hebrew: the label is a QR all the same.
  ['bars', 'ברז-7', 'QRCode ברז-7'],
]

test.each(sizes.flatMap((size) => cases.map(([as, code, wanted]) => [size, as, code, wanted] as const)))(
  'a label on %s as %s of %s is read back',
  async (size, as, code, wanted) => {
    expect(await read(await labelSheet('ברז כדורי ¾״', [code], size, as))).toEqual([wanted])
  },
)

test('twenty-four on a sheet are each read, and none is another', async () => {
  const codes = Array.from({ length: 24 }, (_, n) => `SN-${String(n + 1).padStart(6, '0')}`)
  expect(await read(await labelSheet('Tap', codes, 'sheet', 'bars'))).toEqual(
    codes.map((code) => `Code128 ${code}`),
  )
})
