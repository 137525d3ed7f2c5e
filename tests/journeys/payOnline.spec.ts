import { expect, test } from '@playwright/test'
import { openEmpty, openPage, refused, type Tour } from '../../tools/tour.ts'
import { arrive, readPdf, wordsIn, savedBy } from './support.ts'

/**
 * A payment link is made by the business and paid on a phone: the receipt is there at once, and the link is
 * paid.
 */
const t = wordsIn('he')

test(
  'a link is made, paid on a phone, and its receipt is downloaded',
  { tag: '@spine' },
  async ({ context, browser, baseURL }) => {
    const tour: Tour = { base: baseURL!, session: await openEmpty(baseURL!) }
    const token = tour.session.UserKey!
    await fetch(`${tour.base}/api4/invoice/terminals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-access-token': token },
      body: JSON.stringify({ gateway: 'test' }),
    })
    const { page, failures } = await openPage(context, tour, '/invoice/paymentkeys')
    await page
      .getByRole('button', { name: t('paymentLinks.new') })
      .first()
      .click()
    const sheet = page.getByRole('dialog')
    await sheet.locator('input[name="description"]').fill('תיקון דוד')
    await sheet.locator('input[name="amountAgorot"]').fill('350')
    await sheet.getByRole('button', { name: t('kit.forms.save') }).click()
    await expect(page.getByText('תיקון דוד').first()).toBeVisible()
    const { rows } = (await (
      await fetch(`${tour.base}/api4/invoice/paymentLinks?size=10`, { headers: { 'x-access-token': token } })
    ).json()) as { rows: { id: string }[] }
    const link = (await (
      await fetch(`${tour.base}/api4/invoice/paymentLinks/${rows[0]!.id}`, {
        headers: { 'x-access-token': token },
      })
    ).json()) as { url: string }

    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: 'he-IL',
      baseURL: baseURL!,
    })
    const payer = await phone.newPage()
    await payer.goto(new URL(link.url).pathname)
    await expect(payer.getByText(t('paymentLinks.pay.test'))).toBeVisible()
    await payer.locator('input[name="name"]').fill('רות כהן')
    await payer.getByRole('button', { name: t('paymentLinks.pay.card') }).click()
    await arrive(payer, '**/testcard/**')
    await payer.getByRole('button', { name: '4242 4242 4242 4242' }).click()
    await payer.getByRole('button', { name: t('paymentLinks.test.pay'), exact: true }).click()
    await arrive(payer, '**/payment/**')
    await expect(payer.getByText(t('paymentLinks.pay.done'))).toBeVisible()
    const file = await savedBy(
      payer,
      payer.getByRole('button', { name: new RegExp(t('documents.types.receipt')) }),
    )
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
    const { text, clean } = readPdf(Buffer.concat(chunks))
    expect(text).toContain('350.00')
    expect(clean).toBe(true)
    await phone.close()

    await page.reload()
    await expect(page.getByText(t('paymentLinks.state.paid'), { exact: true }).last()).toBeVisible()
    expect(failures).toEqual([])
    // The form is past: nothing can be paid by it again.
    expect(
      await refused(tour.base, `/api2/invoice/payment/${link.url.split('/').at(-1)}/begin`, {
        payer: { name: 'x' },
      }),
    ).toBe('paymentLinks.notOpen')
  },
)
