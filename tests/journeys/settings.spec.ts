import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import forge from 'node-forge'
import { openEmpty, openPage, type Tour } from '../../tools/tour.ts'
import { makeSelfSigned } from '#kit/server/seal/certificates.ts'
import { root } from '#kit/server/settings.ts'
import { alone, arrive, wordsIn } from './support.ts'

/** What a business sets once: its logo, its certificate; and how a demo goes. */
const t = wordsIn('he')

const get = async <T>(tour: Tour, path: string) => {
  const answer = await fetch(tour.base + path, { headers: { 'x-access-token': tour.session.UserKey! } })
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    body: (await answer
      .clone()
      .json()
      .catch(() => undefined)) as T,
  }
}

test('a logo is cropped in the browser and stands as JPEG', async ({ context, baseURL }) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const { page } = await openPage(context, tour, '/invoice/InvoiceEditCompany')
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: readFileSync(join(root, 'public/icons/app-512.png')),
    })
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await dialog.getByRole('button').last().click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(async () => (await get(tour, '/api4/invoice/company/logo')).type).toBe('image/jpeg')
})

test('a certificate of one’s own is uploaded: a wrong password is said at its field, the right one puts it to use', async ({
  context,
  baseURL,
}) => {
  const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
  const own = await makeSelfSigned({
    organisation: 'Zerem Tov',
    taxId: '777777715',
    days: 30,
    from: new Date(),
  })
  const packed = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(own.keyPem),
    [forge.pki.certificateFromPem(own.certificatePem)],
    'right-password',
  )
  const p12 = Buffer.from(forge.asn1.toDer(packed).getBytes(), 'binary')
  const { page } = await openPage(context, tour, '/invoice/InvoiceEditCompany')
  await page.getByText(t('companies.tab.signing'), { exact: true }).first().click()
  await page.getByRole('button', { name: t('companies.signing.upload'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: 'own.p12', mimeType: 'application/x-pkcs12', buffer: p12 })
  const password = dialog.getByLabel(t('companies.signing.password'), { exact: true })
  const use = dialog.getByRole('button', { name: t('companies.signing.use'), exact: true })
  await password.fill('wrong')
  await use.click()
  await expect(dialog.locator('[aria-invalid="true"]')).toHaveCount(1)
  await password.fill('right-password')
  await use.click()
  await dialog.waitFor({ state: 'hidden' })
  await expect
    .poll(
      async () =>
        (
          await get<{ rows: { subject: string; active: boolean; selfMade: boolean }[] }>(
            tour,
            '/api4/invoice/company/certificates',
          )
        ).body.rows[0],
    )
    .toMatchObject({ active: true, selfMade: false, subject: expect.stringContaining('Zerem Tov') })
})

alone(
  'a demo is thrown away from its home page, and its session ends',
  async ({ context, baseURL, copy }) => {
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const { page } = await openPage(context, tour, '/invoice/main')
    await page.getByRole('button', { name: t('home.demo.discard'), exact: true }).click()
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
    await dialog
      .getByRole('button', { name: t('home.demo.discard'), exact: true })
      .or(dialog.getByRole('button').last())
      .last()
      .click()
    await arrive(page, /login/)
    expect((await get(tour, '/api/user/session')).status).toBe(401)
  },
)
