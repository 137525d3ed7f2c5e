import { expect, test } from '@playwright/test'
import { openPage, type Tour } from '../../tools/tour.ts'
import { arrive, bytesOf, readPdf, signUp, takeCopy, wordsIn, savedBy } from './support.ts'

/**
 * What follows the first invoice: sending, the customer's page, cancelling, reports that open what they
 * count.
 */
test.describe.configure({ mode: 'serial' })

const t = wordsIn('he')
let tour: Tour
test.beforeAll(async () => {
  const { base, demo } = await takeCopy('main job')
  tour = { base, session: demo }
})

const newest = async () => {
  const answer = await fetch(`${tour.base}/api4/invoice/documents?size=10&status=issued&type=8`, {
    headers: { 'x-access-token': tour.session.UserKey! },
  })
  return ((await answer.json()) as { rows: { id: string; number: number; customerIdName: string }[] })
    .rows[0]!
}

test('an invoice is sent; the customer reads and downloads it on his page without logging in', async ({
  context,
  browser,
}) => {
  const invoice = await newest()
  const { page } = await openPage(context, tour, `/invoice/preview/${invoice.id}`)
  await page.getByRole('button', { name: t('documents.page.send'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('documents.page.to'), { exact: true }).fill('customer@example.com')
  // The customer is new: the question whether they take computerised documents is one line.
  await dialog.getByText(t('documents.sending.agrees')).click()
  await dialog.getByRole('button', { name: t('documents.page.send'), exact: true }).click()
  // No mail server is connected here, and the dialog says what that means.
  await expect(dialog.getByRole('status')).toContainText(t('documents.sending.outcome.kept'))
  await dialog
    .getByRole('button', { name: t('kit.actions.close') })
    .last()
    .click()
  await dialog.waitFor({ state: 'hidden' })
  const document = await page.evaluate(
    async ([id]) => {
      const { UserKey } = JSON.parse(localStorage.getItem('user')!) as { UserKey: string }
      return (await (
        await fetch(`/api4/invoice/documents/${id}`, { headers: { 'x-access-token': UserKey } })
      ).json()) as {
        urls: { page: string }
        sentAt: string | null
      }
    },
    [invoice.id] as const,
  )
  expect(document.sentAt).not.toBeNull()

  const stranger = await browser.newContext()
  const his = await stranger.newPage()
  await his.goto(tour.base + new URL(document.urls.page).pathname)
  await expect(his.getByRole('heading', { level: 1 })).toContainText(String(invoice.number))
  const download = await savedBy(
    his,
    his
      .getByRole('button', { name: /PDF/ })
      .or(his.getByRole('link', { name: /PDF/ }))
      .first(),
  )
  expect(download.suggestedFilename()).toContain(`${invoice.number}`)
  await stranger.close()
})

test('an invoice is cancelled by its credit, after the question', async ({ context }) => {
  const invoice = await newest()
  const { page } = await openPage(context, tour, `/invoice/preview/${invoice.id}`)
  await page
    .getByRole('button', { name: t('kit.actions.more') })
    .last()
    .click()
  await page.getByRole('menuitem', { name: t('documents.page.cancel') }).click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await dialog.locator('input, textarea').first().fill('הוזמן בטעות')
  await dialog.getByRole('button').last().click()
  await arrive(page, (url) => !url.pathname.includes(invoice.id))
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const credit = readPdf(await bytesOf(page, `/api4/invoice/documents/${id}/pdf?variant=original`))
  expect(credit.text).toContain('זיכוי')
  expect(credit.text).toContain(String(invoice.number))
  expect(credit.signature).toContain('Signature is Valid')
})

test('a figure opens its report, the report the card, the card the document', async ({ context }) => {
  const { page } = await openPage(context, tour, '/invoice/maazanbohan')
  await page.getByRole('main').getByRole('link', { name: 'לקוחות', exact: true }).first().click()
  await arrive(page, '**/invoice/cardskarteset/**')
  await page.getByRole('main').getByText('חשבונית מס').first().click()
  await arrive(page, '**/invoice/preview/**')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test(
  'on a phone: a new business signs up and issues its first invoice by touch',
  { tag: '@spine' },
  async ({ browser }) => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    })
    const page = await phone.newPage()
    await signUp(page, 'he')
    await page.goto('/invoice/InvoiceDocument')
    await page.getByRole('combobox').first().fill('לקוחה חדשה')
    await page
      .getByRole('option', { name: /לקוחה חדשה/ })
      .last()
      .tap()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: t('documents.editor.addCustomer'), exact: true }).tap()
    await sheet.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: t('documents.editor.addLine') }).tap()
    const line = page.getByRole('dialog').or(page.locator('[data-line]')).last()
    await line.getByRole('combobox').or(line.locator('input')).first().fill('ביקור דחוף')
    await line.locator('input[name="unitPrice"]').fill('350')
    const doneLine = page.getByRole('button', { name: t('documents.editor.doneLine'), exact: true })
    if (await doneLine.isVisible()) await doneLine.tap()
    await page.getByRole('button', { name: t('documents.editor.issue'), exact: true }).tap()
    await arrive(page, '**/invoice/preview/**')
    await expect(page.getByText('413.00').first()).toBeVisible()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    expect(
      readPdf(await bytesOf(page, `/api4/invoice/documents/${id}/pdf?variant=original`)).signature,
    ).toContain('Signature is Valid')
    await phone.close()
  },
)
