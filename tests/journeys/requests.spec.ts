import { expect } from '@playwright/test'
import { openPage, type Tour } from '../../tools/tour.ts'
import { alone, over, wordsIn } from './support.ts'

const t = wordsIn('he')

/** A photograph as a telephone gives it. */
const photograph = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC',
  'base64',
)

alone(
  'the accountant asks for papers of the bank, and the client answers from his phone without a log-in',
  async ({ context, browser, baseURL, copy }) => {
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const { page, failures } = await openPage(context, tour, '/invoice/cpaonline')
    await expect(page.getByRole('listitem').first()).toBeVisible()
    await page
      .getByRole('button', { name: t('requests.new') })
      .first()
      .click()
    await over(page).getByText(t('requests.kind.paper'), { exact: true }).click()
    await over(page).getByLabel(t('requests.fields.text')).fill('חשבונית הדלק של יום שלישי')
    await over(page)
      .getByRole('button', { name: t('requests.ask'), exact: true })
      .click()
    await expect(page.getByText('חשבונית הדלק של יום שלישי')).toBeVisible()
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-requests.png` })

    await page.getByRole('button', { name: t('requests.link'), exact: true }).click()
    await over(page)
      .getByRole('button', { name: t('requests.showLink') })
      .click()
    const url = (await over(page)
      .getByText(/\/clientrequests\//)
      .textContent())!.trim()

    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const there = await phone.newPage()
    await there.goto(url)
    const one = there.getByRole('listitem').filter({ hasText: 'חשבונית הדלק של יום שלישי' })
    await expect(one).toBeVisible()
    if (process.env.LOOK) await there.screenshot({ path: `${process.env.LOOK}-phone.png` })
    await one
      .locator('input[type=file]')
      .setInputFiles({ name: 'IMG_2041.png', mimeType: 'image/png', buffer: photograph })
    await expect(one.getByText(t('requests.got'))).toBeVisible()
    await phone.close()

    await page.goto(`${baseURL}/invoice/cpaonline?view=answered`)
    const answered = page.getByRole('listitem').filter({ hasText: 'חשבונית הדלק של יום שלישי' })
    await answered.getByRole('link', { name: t('requests.thePaper') }).click()
    await expect(page).toHaveURL(/expensesspage\/[0-9a-f-]{36}/)
    await page.goBack()
    await answered.getByRole('button', { name: t('requests.accept') }).click()
    await expect(answered).toHaveCount(0)
    expect(failures).toEqual([])
  },
)

alone(
  'a line of the bank, an expense and an entry are asked about where they stand, and the question leads back to each',
  async ({ context, baseURL, copy }) => {
    const tour: Tour = { base: baseURL!, session: copy.demo }
    const rows = async <T>(path: string): Promise<T[]> =>
      (
        (await (
          await fetch(baseURL + path, { headers: { 'x-access-token': tour.session.UserKey! } })
        ).json()) as { rows: T[] }
      ).rows
    const [line] = await rows<{ bankAccountId: string }>('/api4/invoice/banklines?size=10')
    const [expense] = await rows<{ id: string }>('/api4/invoice/expenses?size=10&state=approved')
    const [entry] = await rows<{ id: string }>(
      '/api5/invoicecpa/entries?from=2000-01-01&to=2199-12-31&size=10',
    )
    const { page, failures } = await openPage(context, tour, `/invoice/banklist/${line!.bankAccountId}`)
    const asking = t('requests.askAccountant')
    const menu = page.getByRole('menu')
    const ask = async (words: string) => {
      await menu.getByText(asking, { exact: true }).click()
      const text = over(page).getByLabel(t('requests.fields.text'))
      // What it is about is written already; one only asks.
      await expect(text).not.toHaveValue('')
      await text.press('End')
      await page.keyboard.type(words)
      await over(page)
        .getByRole('button', { name: t('requests.ask'), exact: true })
        .click()
      await expect(over(page)).toHaveCount(0)
    }
    await page.getByRole('row').nth(1).click({ button: 'right' })
    await ask('על מה השורה בבנק?')

    await page.goto(`${baseURL}/invoice/Expenses`)
    await page.getByRole('row').nth(1).click({ button: 'right' })
    await ask('מה הוצאה זו ברשימה?')

    for (const [path, words] of [
      [`/invoice/Expenses/all/${expense!.id}`, 'האם ההוצאה מוכרת?'],
      [`/invoice/entries/${entry!.id}`, 'מה הפקודה הזאת?'],
    ] as const) {
      await page.goto(baseURL + path)
      await page
        .getByRole('button', { name: t('kit.actions.more') })
        .first()
        .click()
      await ask(words)
    }

    for (const [words, path] of [
      ['על מה השורה בבנק?', /\/invoice\/banklist\/[0-9a-f-]{36}\?line=/],
      ['מה הוצאה זו ברשימה?', /\/invoice\/Expenses\/all\/[0-9a-f-]{36}/],
      ['האם ההוצאה מוכרת?', new RegExp(expense!.id)],
      ['מה הפקודה הזאת?', new RegExp(entry!.id)],
    ] as const) {
      await page.goto(`${baseURL}/invoice/cpaonline`)
      const one = page.getByRole('listitem').filter({ hasText: words })
      await one.getByRole('link', { name: t('requests.about') }).click()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    expect(failures).toEqual([])
  },
)
