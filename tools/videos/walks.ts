import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { dayInJerusalem } from '#domain/day.ts'
import { root } from '#kit/server/settings.ts'
import { filmed, type WalkName } from '#features/office/help/walks.ts'
import { arrive } from '../../tests/journeys/support.ts'
import { openDemo, openEmpty, post, type Tour } from '../tour.ts'

// What the videos of the help show: a walk as a journey goes, slowly, with a caption before each step.

export const shown = filmed

/** How a walk moves. */
export interface Stage {
  page: Page
  t: (key: string) => string
  tour: Tour
  quiet: (leastMs?: number) => Promise<void>
  rest: (ms: number) => Promise<void>
  /** The next caption, for as long as one reads it. */
  say: () => Promise<void>
  point: (to: Locator) => Promise<void>
  press: (what: Locator) => Promise<void>
  type: (text: string) => Promise<void>
}

export interface Walk {
  name: WalkName
  /** The business it happens in, and where it begins. */
  begin: (base: string) => Promise<{ tour: Tour; path: string }>
  go: (stage: Stage) => Promise<void>
}

const demo = async (base: string): Promise<Tour> => ({ base, session: await openDemo(base) })
const small = async (base: string): Promise<Tour> => ({ base, session: await openEmpty(base) })
const make = (tour: Tour, path: string, body: unknown) => post(tour.base, path, body, tour.session.UserKey)

export const walks: readonly Walk[] = [
  {
    name: 'invoice',
    begin: async (base) => {
      const tour = await small(base)
      await make(tour, '/api4/invoice/customers', { name: 'מוסך הציר הירוק', email: 'office@green.example' })
      await make(tour, '/api4/invoice/items', { name: 'שעת עבודה', price: '250' })
      return { tour, path: '/invoice/main' }
    },
    go: async ({ page, t, say, press, type, rest }) => {
      await say()
      await page.keyboard.press('n')
      await arrive(page, '**/invoice/InvoiceDocument*')
      await rest(700)
      await say()
      await type('מוסך')
      await press(page.getByRole('option').first())
      await say()
      await press(
        page
          .getByLabel(t('documents.editor.itemOf').replace('{place}', '1'), { exact: true })
          .and(page.locator('input')),
      )
      await type('שעת')
      await press(page.getByRole('option').first())
      await press(
        page
          .getByLabel(t('documents.editor.quantityOf').replace('{place}', '1'), { exact: true })
          .and(page.locator('input')),
      )
      await page.keyboard.press('Control+a')
      await type('3')
      await page.keyboard.press('Enter')
      await say()
      await page.keyboard.press('Control+Enter')
      await arrive(page, '**/invoice/preview/*')
      await rest(1200)
      await say()
    },
  },
  {
    name: 'find',
    begin: async (base) => ({ tour: await demo(base), path: '/invoice/main' }),
    go: async ({ page, say, type, rest }) => {
      await say()
      await page.keyboard.press('Control+k')
      await rest(500)
      await say()
      await type('מעמ')
      await rest(700)
      await say()
      await page.keyboard.press('Control+a')
      await type('מאפ')
      await rest(900)
      await say()
      await page.keyboard.press('Escape')
      await rest(300)
      await page.keyboard.press('?')
      await rest(1200)
      await say()
    },
  },
  {
    name: 'report',
    begin: async (base) => ({ tour: await demo(base), path: '/invoice/reportpercustomer' }),
    go: async ({ page, t, say, press, type, rest }) => {
      await say()
      await press(page.getByRole('button', { name: t('salesReports.reports.perCustomer.columns.netAgorot') }))
      await say()
      await press(page.getByRole('button', { name: t('kit.reports.view'), exact: true }))
      await press(page.getByRole('menu').getByText(t('kit.reports.vs.previousYear'), { exact: true }))
      await rest(900)
      await say()
      await press(page.getByRole('button', { name: t('kit.reports.chart'), exact: true }))
      await rest(600)
      await say()
      await press(page.getByRole('button', { name: t('kit.filters.save'), exact: true }))
      await press(page.getByRole('dialog').getByRole('textbox'))
      await type(t('salesReports.reports.perCustomer.title'))
      await press(page.getByRole('dialog').getByRole('button', { name: t('kit.filters.save') }))
      await say()
    },
  },
  {
    name: 'expense',
    begin: async (base) => ({ tour: await small(base), path: '/invoice/expensesspage' }),
    go: async ({ page, say, press, rest }) => {
      await say()
      await page
        .locator('input[type=file][multiple]')
        .last()
        .setInputFiles(join(root, 'tests/papers/samples/classic-2.pdf'))
      const row = page.getByRole('link', { name: /14,333\.01/ })
      await row.waitFor({ timeout: 60_000 })
      await say()
      await press(row)
      await page.locator('input[name=total]').waitFor()
      await rest(900)
      await press(page.locator('input[name=total]'))
      await say()
      await press(page.locator('input[name=typeId]'))
      await press(page.getByRole('option').first())
      await say()
      await page.keyboard.press('Control+Enter')
      await page.waitForURL(/expensesspage$/)
      await rest(900)
      await say()
    },
  },
  {
    name: 'bank',
    begin: async (base) => {
      const tour = await small(base)
      const today = dayInJerusalem(new Date())
      const customer = await make(tour, '/api4/invoice/customers', { name: 'כהן ובניו' })
      const receipts = [118_000, 59_000]
      for (const amountAgorot of receipts)
        await make(tour, '/api4/invoice/documents', {
          type: 6,
          customerId: customer.id,
          payments: [{ means: 3, amountAgorot }],
        })
      const { id } = await make(tour, '/api4/invoice/bankaccounts', { name: 'עו״ש' })
      const lines = receipts.map((agorot, n) => `${today},זיכוי מאת כהן ובניו,${1001 + n},,${agorot / 100},`)
      ready = {
        name: 'bank.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          ['תאריך,תיאור,אסמכתא,חובה,זכות,יתרה', ...lines, `${today},עמלת פעולה,7,12.90,,`].join('\n'),
        ),
      }
      account = id!
      return { tour, path: `/invoice/banklist/${id}` }
    },
    go: async ({ page, t, tour, say, press, rest }) => {
      await say()
      await page.locator('input[type=file]').setInputFiles(ready!)
      await rest(1200)
      await say()
      await press(page.locator('main').getByRole('button').filter({ hasText: /3/ }).last())
      await rest(900)
      await page.goto(`${tour.base}/invoice/atamotbank?account=${account}`)
      await page.locator('main').getByRole('button').first().waitFor()
      await rest(900)
      await say()
      await press(page.getByRole('button', { name: t('matching.match'), exact: true }).first())
      await rest(900)
      await say()
      await press(page.getByRole('button', { name: t('matching.book.verb'), exact: true }).first())
      await rest(900)
      await say()
    },
  },
  {
    name: 'standingOrder',
    begin: async (base) => {
      const tour = await small(base)
      await make(tour, '/api4/invoice/terminals', { gateway: 'test' })
      await make(tour, '/api4/invoice/customers', { name: 'נעמה ברק', email: 'naama@example.com' })
      return { tour, path: '/invoice/retainers/new' }
    },
    go: async ({ page, t, say, press, type, rest }) => {
      await say()
      await press(page.locator('input[name="customerId"]'))
      await type('נעמה')
      await press(page.getByRole('option').first())
      await say()
      await press(page.getByRole('textbox', { name: t('standingOrders.fields.description') }))
      await type('מנוי פילאטיס {חודש} {שנה}')
      await press(page.getByRole('textbox', { name: t('standingOrders.fields.unitPrice') }))
      await type('350')
      await press(page.getByRole('radio', { name: t('standingOrders.means.card') }))
      await rest(700)
      await say()
      await page.mouse.wheel(0, 300)
      await rest(500)
      await press(page.getByRole('button', { name: t('kit.forms.save') }))
      await arrive(page, /\/invoice\/retainers\/[0-9a-f-]{36}$/)
      await rest(900)
      await say()
    },
  },
  {
    name: 'payPage',
    begin: async (base) => {
      const tour = await small(base)
      await make(tour, '/api4/invoice/terminals', { gateway: 'test' })
      return { tour, path: '/invoice/paypages/new' }
    },
    go: async ({ page, t, say, press, type, rest }) => {
      await say()
      await press(page.locator('input[name="title"]'))
      await type('סדנת נגרות')
      await press(page.getByLabel(t('payPages.itemName'), { exact: true }))
      await type('מקום בסדנה')
      await press(page.getByLabel(t('payPages.itemPrice')))
      await type('180')
      await page.keyboard.press('Tab')
      await say()
      await rest(600)
      await press(page.getByRole('button', { name: t('kit.forms.save') }))
      await page.getByRole('button', { name: t('payPages.open') }).waitFor()
      await press(page.getByRole('button', { name: t('payPages.open') }))
      await rest(900)
      await say()
      await point(page, t('payPages.shortAddress'))
      await say()
    },
  },
  {
    name: 'board',
    begin: async (base) => {
      const tour = await small(base)
      for (const text of ['להתקשר לדנה', 'לשלוח הצעה לגלידריה', 'להפקיד צ׳קים'])
        await make(tour, '/api4/invoice/tasks/quick', { text })
      return { tour, path: '/invoice/alltasks' }
    },
    go: async ({ page, t, tour, say, press, type, rest }) => {
      await say()
      await press(page.getByLabel(t('tasks.quick.label')))
      await type('מחר ב-10 לבדוק מלאי')
      await rest(800)
      await say()
      await page.keyboard.press('Enter')
      await rest(700)
      await page.goto(`${tour.base}/invoice/kanban`)
      // Columns have the names of the business, in its own language.
      const column = (name: 'todo' | 'doing') => page.locator('[role="grid"]').nth(name === 'todo' ? 0 : 1)
      await column('todo').getByRole('row').first().waitFor()
      await rest(600)
      await say()
      await column('todo').getByRole('row').nth(1).dragTo(column('doing'))
      await rest(900)
      await say()
      await column('todo').getByRole('row').first().focus()
      await page.keyboard.press(
        (await page.evaluate(() => document.dir)) === 'rtl' ? 'Control+ArrowLeft' : 'Control+ArrowRight',
      )
      await rest(900)
      await say()
    },
  },
  {
    name: 'vat',
    begin: async (base) => ({ tour: await demo(base), path: '/invoice/reportpcn' }),
    go: async ({ page, tour, say, rest, quiet }) => {
      await say()
      await page.mouse.wheel(0, 260)
      await rest(900)
      await say()
      await page.mouse.wheel(0, 420)
      await rest(900)
      await say()
      await page.goto(`${tour.base}/invoice/vatgate`)
      await page.locator('main h1').waitFor()
      await quiet()
      await rest(500)
      await say()
      await page.goto(`${tour.base}/invoice/reportvat`)
      await page.locator('main h1').waitFor()
      await quiet()
      await rest(500)
      await say()
    },
  },
]

/** What a walk has prepared for itself. */
let ready: { name: string; mimeType: string; buffer: Buffer } | undefined
let account = ''

/** Shows a field without pressing it. */
async function point(page: Page, label: string): Promise<void> {
  const box = await page.getByLabel(label).first().boundingBox()
  if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 16 })
}
