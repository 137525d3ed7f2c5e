import { expect, test, type Page } from '@playwright/test'
import { arrive, signUp, wordsIn } from './support.ts'

const t = wordsIn('he')

const ask = <T>(page: Page, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([verb, url, json]) => {
      const user = JSON.parse(localStorage.getItem('user') ?? '{}') as { UserKey?: string }
      const answer = await fetch(url!, {
        method: verb!,
        headers: { 'content-type': 'application/json', 'x-access-token': user.UserKey ?? '' },
        ...(json ? { body: json } : {}),
      })
      return answer.json()
    },
    [method, path, body ? JSON.stringify(body) : ''],
  ) as Promise<T>

test(
  'a price that was too high, then one that was too low: seen before it happens, then done',
  { tag: '@spine' },
  async ({ page }) => {
    test.slow()
    await signUp(page, 'he')
    const customer = await ask<{ id: string }>(page, 'POST', '/api4/invoice/customers', {
      name: 'בית קפה הגשר',
    })
    const issue = () =>
      ask<{ id: string }>(page, 'POST', '/api4/invoice/documents', {
        type: 8,
        customerId: customer.id,
        lines: [{ description: 'כיסא', quantity: '10', unitPrice: '100' }],
      })
    const balance = async () =>
      (await ask<{ balanceAgorot: number }>(page, 'GET', `/api4/invoice/customers/${customer.id}`))
        .balanceAgorot
    const begin = async (id: string) => {
      await page.goto(`/invoice/preview/${id}`)
      await page.getByRole('button', { name: t('kit.actions.more') }).click()
      await page.getByRole('menuitem', { name: t('corrections.menu') }).click()
      await arrive(page, '**/invoice/correction/*')
    }
    const finish = async () => {
      await page.getByRole('textbox', { name: t('corrections.reason') }).fill('מחיר שגוי')
      await page.getByRole('button', { name: t('corrections.do') }).click()
      await arrive(page, '**/invoice/preview/*')
    }

    await begin((await issue()).id)
    await page.locator('input[name="price1"]').fill('80')
    await expect(page.getByText(t('corrections.chain.partialCredit'))).toBeVisible()
    await expect(page.locator('.cor-effect')).toContainText('(36.00-)')
    await expect(page.locator('.cor-effect')).toContainText('944.00')
    // Nothing has happened yet.
    expect(await balance()).toBe(118_000)
    await finish()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(t('documents.types.creditInvoice'))
    expect(await balance()).toBe(94_400)

    await begin((await issue()).id)
    await page.locator('input[name="price1"]').fill('120')
    await expect(page.getByText(t('corrections.chain.creditAndReissue'))).toBeVisible()
    await finish()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(t('documents.types.taxInvoice'))
    expect(await balance()).toBe(94_400 + 141_600)
  },
)
