import { addDays, dayInJerusalem, endOfMonth, startOfMonth } from '#domain/day.ts'
import { firstQuestion } from '#domain/questions/model.ts'
import { fill, wantedName } from './fill.ts'
import { MB, ms, quantile, type Figure } from './figures.ts'
import { ask, json, memoryOf, newCompany, pause, type Running } from './server.ts'

/** Reports, cards, lists and searches of a business with years behind it, through the API. */
export async function measureReads({
  server,
  databaseUrl,
  size,
  tries,
  say,
}: {
  server: Running
  databaseUrl: string
  size: number
  tries: number
  say: (what: string) => void
}): Promise<Figure[]> {
  const { url } = server
  const company = await newCompany(url)
  say(`filling a business with ${size.toLocaleString('en')} documents`)
  const began = performance.now()
  const filled = await fill(databaseUrl, company.id, size)
  const part = `Read: ${size.toLocaleString('en')} documents, ${filled.postings.toLocaleString('en')} postings, ${filled.customers.toLocaleString('en')} customers`
  say(`filled in ${((performance.now() - began) / 1000).toFixed(1)} s; reading`)
  const { token } = company
  const today = dayInJerusalem(new Date())
  const month = startOfMonth(addDays(startOfMonth(today), -1))
  const year = `${today.slice(0, 4)}-01-01`
  const report = (name: string, query: string) => `/api4/invoice/reports/${name}?${query}`
  const lists = '/api4/invoice/documents?size=50'
  const last = json<{ pages: number }>(await ask(url, 'GET', `${lists}&page=1`, { token })).pages
  // The account every document is posted to, over all its years.
  const accounts = json<{ rows: { id: string; number: string }[] }>(
    await ask(url, 'GET', '/api5/invoicecpa/accounts?q=1100', { token }),
  ).rows
  const card = `/api5/invoicecpa/accounts/${accounts.find((one) => one.number === '1100')!.id}/lines?from=2000-01-01&to=${today}&size=50`
  const middle = await cursorFarDown(url, token, size)
  const vatOfMonth = report('vat', `from=${month}&to=${endOfMonth(month)}`)
  // A day's rent: what the month's VAT was worked out from is not what it was.
  const change = async () => {
    const sides = [
      { accountNumber: '6010', debitAgorot: 100 },
      { accountNumber: '1010', creditAgorot: 100 },
    ]
    await ask(url, 'POST', '/api5/invoicecpa/entries', {
      token,
      body: { date: addDays(month, 9), lines: sides },
    })
  }
  // A year back from today, so that as many papers are in it whatever the season.
  const question = (more: object) => ({
    question: {
      ...firstQuestion('income'),
      rows: ['customer'],
      sort: 'most',
      filters: [{ kind: 'period', period: { from: addDays(today, -364), to: today } }],
      ...more,
    },
  })
  const pivot = '/api4/invoice/questions/run'
  const cases: {
    name: string
    path: string
    body?: object
    goal: number
    checked?: boolean
    before?: () => Promise<void>
  }[] = [
    {
      name: 'trial balance of a year',
      path: report('trialBalance', `from=${year}&to=${endOfMonth(today)}`),
      goal: 20,
      checked: true,
    },
    {
      name: 'trial balance up to today',
      path: report('trialBalance', `from=${year}&to=${today}`),
      goal: 20,
      checked: true,
    },
    {
      name: 'profit and loss of a year',
      path: report('profitLoss', `from=${year}&to=${endOfMonth(today)}`),
      goal: 20,
      checked: true,
    },
    { name: 'VAT return of a month', path: vatOfMonth, goal: 20, checked: true },
    {
      name: 'VAT return of a month, first look after a change',
      path: vatOfMonth,
      goal: 20,
      checked: true,
      before: change,
    },
    {
      name: 'customer card of a year',
      path: report('customerCard', `party=${filled.customerId}&from=${year}&to=${today}`),
      goal: 20,
      checked: true,
    },
    ...(['perCustomer', 'profitSales', 'itemsSales', 'ordersByState', 'productMovements'] as const).map(
      (name) => ({
        name: `${name} of a year, first page`,
        path: report(name, `from=${year}&to=${today}&first=200`),
        goal: 100,
      }),
    ),
    ...(['openOrdersByProduct', 'openOrdersByCustomer', 'owe', 'oweSummary', 'itemsCatalogue'] as const).map(
      (name) => ({
        name: `${name}, first page`,
        path: report(name, 'first=200'),
        goal: 100,
      }),
    ),
    { name: 'card of the customers’ account, first page of 50', path: card, goal: 20 },
    { name: 'card of the customers’ account, last page of 50', path: `${card}&last=true`, goal: 20 },
    {
      name: 'a question of a year, customers by month',
      path: pivot,
      body: question({ column: 'month' }),
      goal: 500,
    },
    {
      name: 'a question of a year, the ten largest customers and the others by month',
      path: pivot,
      body: question({ column: 'month', top: { most: 10, others: true } }),
      goal: 500,
    },
    {
      name: 'a question of a year, different customers by type and month',
      path: pivot,
      body: question({ rows: ['type'], column: 'month', measures: [{ name: 'customers', as: 'value' }] }),
      goal: 500,
    },
    {
      name: 'a question of a year, agents by quarter',
      path: pivot,
      body: question({ rows: ['agent'], column: 'quarter' }),
      goal: 500,
    },
    {
      name: 'budget of a year beside real figures',
      path: `/api4/invoice/budget?year=${today.slice(0, 4)}`,
      goal: 100,
    },
    { name: 'forecast of cash, ninety days', path: '/api4/invoice/forecast', goal: 500 },
    { name: 'home, the whole page in one call', path: '/api4/invoice/homepage', goal: 60 },
    { name: 'documents, first page of 50', path: lists, goal: 20 },
    { name: 'documents, deep page by cursor', path: `${lists}&cursor=${middle}`, goal: 20 },
    { name: 'documents, last page by number', path: `${lists}&page=${last}`, goal: 20 },
    {
      name: 'documents by part of a Hebrew name',
      path: `${lists}&q=${encodeURIComponent(wantedName)}`,
      goal: 100,
    },
    {
      name: 'customers by part of a Hebrew name',
      path: `/api4/invoice/customers?size=10&q=${encodeURIComponent(wantedName)}`,
      goal: 100,
    },
  ]
  const figures: Figure[] = []
  for (const c of cases) {
    const once = () =>
      c.body ? ask(url, 'POST', c.path, { token, body: c.body }) : ask(url, 'GET', c.path, { token })
    const first = json<{ rows?: unknown[]; checks?: { name: string; ok: boolean }[] }>(await once())
    if (first.rows?.length === 0) throw new Error(`${c.name} answered no rows`)
    if (c.checked && !first.checks?.every((k) => k.ok))
      throw new Error(`${c.name} fails its own checks: ${JSON.stringify(first.checks)}`)
    const times: number[] = []
    for (let n = 0; n < tries; n++) {
      await c.before?.()
      times.push((await once()).ms)
    }
    const p95 = quantile(times, 0.95)
    figures.push({
      part,
      name: c.name,
      value: `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(p95)}`,
      goal: `p95 <= ${c.goal} ms`,
      ok: p95 <= c.goal,
    })
  }
  say('a long spreadsheet')
  const account = accounts.find((one) => one.number === '1100')!.id
  return [
    ...figures,
    ...(await measureSpreadsheet(
      server,
      token,
      part,
      account,
      Math.min(600, Math.round((600 * 100_000) / (size * 1.77))),
      today,
    )),
  ]
}

/**
 * The card of the busiest account as a spreadsheet: how long it takes, what it leaves in memory, and how long
 * others wait meanwhile.
 */
async function measureSpreadsheet(
  { url, pid }: Running,
  token: string,
  part: string,
  account: string,
  days: number,
  today: string,
): Promise<Figure[]> {
  const card = (format: string) =>
    `/api4/invoiceexport/reports/accountCard.${format}?account=${account}&from=${addDays(today, -days)}&to=${today}`
  const lines = (await ask(url, 'GET', card('csv'), { token })).body.toString().split('\r\n').length - 4
  const before = memoryOf(pid)
  let isDone = false
  const waits: number[] = []
  const others = (async () => {
    while (!isDone) {
      waits.push((await ask(url, 'GET', '/healthz', {})).ms)
      await pause(20)
    }
  })()
  const { ms: took } = await ask(url, 'GET', card('xlsx'), { token })
  isDone = true
  await others
  await pause(2000)
  const after = memoryOf(pid)
  const longest = Math.max(...waits)
  const growth = before !== undefined && after !== undefined ? after - before : undefined
  return [
    {
      part,
      name: `spreadsheet of ${lines.toLocaleString('en')} lines`,
      value: `${ms(took)}, others wait ${ms(longest)} at most${growth === undefined ? '' : `, ${MB(Math.max(0, growth))} more afterwards`}`,
      goal: '<= 20,000 ms, others <= 200 ms',
      ok: took <= 20_000 && longest <= 200,
    },
  ]
}

/** Goes down the list by its cursor as far as a patient person would, 200 rows a step. */
async function cursorFarDown(url: string, token: string, size: number): Promise<string> {
  let cursor = ''
  for (let n = 0; n < Math.min(40, size / 200 - 1); n++) {
    const page = json<{ nextCursor: string | null }>(
      await ask(url, 'GET', `/api4/invoice/documents?size=200${cursor ? `&cursor=${cursor}` : ''}`, {
        token,
      }),
    )
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  return cursor
}
