import { expect, test } from '@playwright/test'
import { arrive, bytesOf, readPdf, saying, signUp, wordsIn } from './support.ts'

const t = wordsIn('he')

test('a customer abroad is one switch; the first document in English asks once and names its ground', async ({
  page,
}) => {
  test.slow()
  await signUp(page, 'he')
  let presses = 0
  const key = async (name: string) => {
    await page.keyboard.press(name)
    presses++
  }

  /** A customer of this name, made in the editor with the one switch. */
  const begin = async (name: string, isNew: boolean) => {
    await page.goto('/invoice/InvoiceDocument')
    await expect(page.getByRole('combobox').first()).toBeFocused()
    await page.keyboard.type(name)
    await page
      .getByRole('option', { name: new RegExp(name) })
      .last()
      .waitFor()
    await key('Enter')
    if (!isNew) return
    const sheet = page.getByRole('dialog')
    await sheet.waitFor()
    await sheet.getByText(t('customers.fields.isAbroad'), { exact: true }).click()
    presses++
    await sheet.locator('input[name="country"]').fill('Germany')
    await expect(sheet.getByRole('combobox', { name: t('customers.fields.currency') })).toHaveValue(/EUR/)
    await sheet.getByRole('button', { name: t('documents.editor.addCustomer'), exact: true }).click()
    presses++
    await sheet.waitFor({ state: 'hidden' })
  }
  await begin('Nordlicht GmbH', true)
  // What was taken over is said.
  await expect(page.getByText(/English.*EUR/)).toBeVisible()
  await page.keyboard.type('Oak table')
  await key('Enter')
  await key('Enter')
  await page.keyboard.type('1200')
  await key('Enter')
  await page.getByLabel(t('documents.editor.rate')).fill('3.95')

  // Without a ground the editor asks for it, at its field.
  await key('Control+Enter')
  await expect(page.getByText(t('errors.documents.noGround'))).toBeVisible()
  await page.getByRole('combobox', { name: t('documents.editor.extra.zeroGround') }).click()
  await page.getByRole('option', { name: t('customers.zeroGround.servicesToNonResident') }).click()
  presses += 2
  // The first ground of a customer is kept for the next document, unless the person takes the tick away.
  await expect(
    page.getByRole('checkbox', {
      name: saying(t('documents.editor.keepGround'), 'Nordlicht GmbH'),
    }),
  ).toBeChecked()
  await key('Control+Enter')

  // The business has no name in English yet: asked once, and a wrong number is said at its field.
  const asked = page.getByRole('dialog')
  await asked.waitFor()
  await asked.locator('input[name="name"]').fill('Alon Carpentry Ltd')
  await asked.locator('input[name="street"]').fill('7 Harbor Road')
  await asked.locator('input[name="city"]').fill('Haifa')
  await asked.locator('input[name="iban"]').fill('IL620108000000099999998')
  await asked.locator('input[name="swift"]').fill('LUMIILIT')
  const issue = asked.getByRole('button', { name: t('documents.editor.issue'), exact: true })
  await issue.click()
  await expect(asked.getByText(t('errors.fields.iban'))).toBeVisible()
  await asked.locator('input[name="iban"]').fill('IL62 0108 0000 0009 9999 999')
  await issue.click()
  presses++
  await arrive(page, '**/invoice/preview/*')
  expect(presses).toBeLessThanOrEqual(12)

  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const { text } = readPdf(await bytesOf(page, `/api4/invoice/documents/${id}/pdf?variant=original`))
  for (const piece of [
    'Alon Carpentry Ltd',
    '7 Harbor Road, Haifa',
    'Zero rate – section 30(a)(5) of the VAT Law',
    'LUMIILIT',
    'IL62 0108 0000 0009 9999 999',
    '4,740.00',
  ])
    expect(text).toContain(piece)

  // Not asked again: the ground is kept with the customer, and so is the name with the business.
  presses = 0
  await begin('Nordlicht GmbH', false)
  await expect(
    page.getByText(new RegExp(t('customers.zeroGround.servicesToNonResident').replace(/[()]/g, '.'))).first(),
  ).toBeVisible()
  await page.keyboard.type('Oak chair')
  await key('Enter')
  await key('Enter')
  await page.keyboard.type('300')
  await key('Enter')
  await page.getByLabel(t('documents.editor.rate')).fill('3.95')
  await key('Control+Enter')
  await arrive(page, '**/invoice/preview/*')
  expect(presses).toBeLessThanOrEqual(6)
})
