import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { chromium, type Browser } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { seeded, type MadePaper } from './layouts.ts'
import { found } from '../../tools/programs.ts'

/** Prints made-up papers with a browser: as PDF, and as pictures that look like photographs of them. */
export async function openPress(): Promise<{
  pdf: (paper: MadePaper) => Promise<Buffer>
  photo: (paper: MadePaper, seed: number) => Promise<Buffer>
  close: () => Promise<void>
}> {
  const browser: Browser = await chromium.launch({
    executablePath: found(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const rubik = readFileSync(
    join(root, 'node_modules/@expo-google-fonts/rubik/400Regular/Rubik_400Regular.ttf'),
  ).toString('base64')
  const withFont = (html: string) =>
    html.includes('Rubik')
      ? html.replace('<style>', `<style>@font-face{font-family:Rubik;src:url(data:font/ttf;base64,${rubik})}`)
      : html
  const sizeOf = (paper: MadePaper) => paper.size ?? { width: 210, height: 297 }
  return {
    async pdf(paper) {
      const page = await browser.newPage()
      try {
        await page.setContent(withFont(paper.html), { waitUntil: 'load' })
        const { width, height } = sizeOf(paper)
        return await page.pdf({ width: `${width}mm`, height: `${height}mm`, printBackground: true })
      } finally {
        await page.close()
      }
    },
    async photo(paper, seed) {
      const random = seeded(seed)
      const { width, height } = sizeOf(paper)
      const scale = width < 100 ? 3 : 1.9 + random() * 0.6
      const page = await browser.newPage({
        viewport: { width: Math.round(width * 3.78), height: Math.round(height * 3.78) },
        deviceScaleFactor: scale,
      })
      try {
        await page.setContent(withFont(paper.html), { waitUntil: 'load' })
        return await asPhoto(await page.screenshot({ type: 'png' }), random)
      } finally {
        await page.close()
      }
    },
    close: () => browser.close(),
  }
}

/**
 * On a table, a little turned and seen aslant, a shadow over a part of it, noise, and a JPEG that lost some.
 */
async function asPhoto(png: Buffer, random: () => number): Promise<Buffer> {
  const sheet = await loadImage(png)
  const margin = Math.round(sheet.width * 0.06)
  const [width, height] = [sheet.width + margin * 2, sheet.height + margin * 2]
  const canvas = createCanvas(width, height)
  const draw = canvas.getContext('2d')
  draw.fillStyle = ['#6d5a48', '#3c3f45', '#8a8780'][Math.floor(random() * 3)]!
  draw.fillRect(0, 0, width, height)
  draw.translate(width / 2, height / 2)
  draw.rotate(((random() * 8 - 4) * Math.PI) / 180)
  // Seen aslant: strip by strip a little narrower towards the far end.
  const slant = random() * 0.025
  const strips = 240
  const strip = sheet.height / strips
  for (let i = 0; i < strips; i++) {
    const narrow = 1 - slant * (1 - i / strips)
    draw.drawImage(
      sheet,
      0,
      i * strip,
      sheet.width,
      strip + 1,
      (-sheet.width * narrow) / 2,
      -sheet.height / 2 + i * strip,
      sheet.width * narrow,
      strip + 1,
    )
  }
  draw.resetTransform()
  const picture = draw.getImageData(0, 0, width, height)
  const { data } = picture
  const [cx, cy, reach] = [random() * width, random() * height, (0.5 + random() * 0.6) * width]
  const [dark, tilt] = [0.3 + random() * 0.25, random() * Math.PI]
  const noise = 6 + random() * 10
  for (let y = 0, p = 0; y < height; y++)
    for (let x = 0; x < width; x++, p += 4) {
      const lamp =
        0.8 +
        0.2 *
          (((x - width / 2) / width) * Math.cos(tilt) + ((y - height / 2) / height) * Math.sin(tilt) + 0.5)
      const shadow = 1 - dark * Math.max(0, 1 - Math.hypot(x - cx, y - cy) / reach)
      const grain = (random() + random() - 1) * noise
      for (let c = 0; c < 3; c++)
        data[p + c] = Math.max(0, Math.min(255, data[p + c]! * lamp * shadow * (c === 2 ? 0.93 : 1) + grain))
    }
  draw.putImageData(picture, 0, 0)
  return canvas.encode('jpeg', 60)
}
