import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from '@playwright/test'
import { barsOf, checkDigit } from '#domain/barcode.ts'
import { openEmpty, openPage, post, type Tour } from '../../tools/tour.ts'
import { wordsIn } from './support.ts'
import { slowed } from './slowed.ts'

const t = wordsIn('he')
const whole = `729001822341${checkDigit('729001822341')}`

/**
 * What a camera sees of a printed label, as a film of one picture: the label of the product's own bars, a
 * little off the middle.
 */
function film(): string {
  const [width, height] = [640, 480]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#cfcabf'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#ffffff'
  context.fillRect(90, 110, 470, 250)
  context.fillStyle = '#111111'
  for (const [i, bar] of [...barsOf(whole)!].entries())
    if (bar === '1') context.fillRect(180 + i * 3, 150, 3, 150)
  const { data } = context.getImageData(0, 0, width, height)
  // YUV4MPEG2, grey: brightness of each point, and colours of none.
  const light = Buffer.alloc(width * height)
  for (let i = 0; i < light.length; i++)
    light[i] = Math.round(0.299 * data[i * 4]! + 0.587 * data[i * 4 + 1]! + 0.114 * data[i * 4 + 2]!)
  const none = Buffer.alloc((width * height) / 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, none])
  const path = join(mkdtempSync(join(tmpdir(), 'pinkas-film-')), 'label.y4m')
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`),
      ...Array.from({ length: 10 }, () => frame),
    ]),
  )
  return path
}

test.use({
  launchOptions: {
    ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
    args: [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film()}`,
    ],
  },
})

test('a printed label is scanned by the camera, counted without a network, told when it comes back, and approved', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const token = tour.session.UserKey!
  const { id } = await post(
    tour.base,
    '/api4/invoice/items',
    { name: 'כבל נחושת', sku: 'CB-0506', barcode: whole, price: '10', isStocked: true },
    token,
  )
  await post(
    tour.base,
    `/api4/invoice/stock/${id}/adjust`,
    { quantity: '5', worthAgorot: 5000, reason: 'פתיחה' },
    token,
  )
  const count = await post(tour.base, '/api4/invoice/stockcounts', { name: 'מדף ב׳' }, token)
  await context.grantPermissions(['camera'])
  const { page, failures } = await openPage(
    context,
    tour,
    `/invoice/stocktaking?count=${count.id}&part=phone`,
  )
  const own = page.locator('.st-big output')
  await expect(own).toHaveText('0')
  await page.getByRole('button', { name: t('stock.scan.open') }).click()
  await expect(page.getByText(whole)).toBeVisible({ timeout: 30_000 * slowed })
  await expect(own).not.toHaveText('0')

  // Without a network every press stays here, and is sent once it is back.
  await context.setOffline(true)
  const before = Number(await own.textContent())
  await page.getByRole('button', { name: t('stock.count.more') }).click()
  await page.getByRole('button', { name: t('stock.count.more') }).click()
  await expect(page.locator('.st-count .net').first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.locator('.st-count .net')).toHaveCount(0, { timeout: 30_000 * slowed })
  await expect.poll(async () => Number(await own.textContent())).toBeGreaterThanOrEqual(before + 2)

  await page.goto(`${tour.base}/invoice/stocktaking?count=${count.id}`)
  await page.getByRole('button', { name: t('stock.count.approve') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('stock.count.approveVerb'), exact: true })
    .click()
  await expect(page.getByText(t('stock.count.state.approved')).first()).toBeVisible()
  expect(failures.filter((one) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(one))).toEqual([])
})
