import { z } from 'zod'
import { copySources } from '#domain/budget/budget.ts'
import { forecastDays, movementKinds } from '#domain/forecast/cash.ts'
import { habitSources } from '#domain/forecast/habit.ts'
import { cycles, rhythms } from '#domain/forecast/recurring.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, fileValue, moneyValue } from '#kit/fields/schema.ts'
import { queryBoolean, queryNumber } from '#kit/fields/query.ts'

const base = '/api4/invoice/budget'
const see = { rule: 'budget.see' }
const change = { rule: 'budget.change' }

const year = queryNumber(z.int().min(2000, { error: 'fields.range' }).max(2200, { error: 'fields.range' }))
const sumValue = moneyValue
  .min(-100_000_000_000_000, { error: 'fields.range' })
  .max(100_000_000_000_000, { error: 'fields.range' })

export const budgetOfYear = defineEndpoint({
  name: 'budget.year',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({ year }),
  output: z.object({
    year: z.number(),
    rows: z.array(
      z.object({
        accountId: z.string(),
        number: z.string(),
        name: z.string(),
        kind: z.enum(['income', 'expense']),
        /** Twelve of each, positive as the account grows; null where no budget was set. */
        budget: z.array(z.number().nullable()),
        actual: z.array(z.number()),
        /** Real figures of the year before. */
        before: z.array(z.number()),
      }),
    ),
    /** How many months of the year are whole and past, so that they can be judged. */
    monthsPast: z.number(),
  }),
  summary:
    'The budget of a year by account and month, beside the real figures of that year and of the one before',
})
export type BudgetYear = z.infer<typeof budgetOfYear.output>
export type BudgetRow = BudgetYear['rows'][number]

/** More cells than the longest chart has. */
export const mostCells = 12_000

export const keepBudget = defineEndpoint({
  name: 'budget.keep',
  method: 'PUT',
  path: base,
  access: change,
  maxBody: 1_500_000,
  input: z.strictObject({
    year,
    cells: z
      .array(
        z.strictObject({
          accountId: z.uuid(),
          month: z.number().int().min(1, { error: 'fields.range' }).max(12, { error: 'fields.range' }),
          /** Null takes the sum away. */
          agorot: sumValue.nullable(),
        }),
      )
      .min(1, { error: 'fields.need' })
      .max(mostCells, { error: 'fields.tooMany' }),
  }),
  output: z.object({ changed: z.number() }),
  summary: 'Sets sums of the budget; what is not named stays as it is',
})

export const copyBudget = defineEndpoint({
  name: 'budget.copy',
  method: 'POST',
  path: `${base}/copy`,
  access: change,
  input: z.strictObject({
    year,
    from: z.enum(copySources),
    /** Raised by so many basis points; a minus lowers. */
    percentBp: z
      .number()
      .int()
      .min(-10_000, { error: 'budget.badPercent' })
      .max(100_000, { error: 'budget.badPercent' })
      .default(0),
    /** All accounts when absent. */
    accountIds: z.array(z.uuid()).max(2000, { error: 'fields.tooMany' }).optional(),
    /** Leaves alone what was set already. */
    onlyEmpty: z.boolean().default(false),
  }),
  output: z.object({ changed: z.number() }),
  summary:
    'Makes a budget of real figures (last year, or the newest month of each name) or of the last budget, raised by a percentage',
  errors: ['budget.nothingToCopy'],
})

export const readBudgetFile = defineEndpoint({
  name: 'budget.readFile',
  method: 'POST',
  path: `${base}/read`,
  access: change,
  upload: { maxBytes: 5_000_000, toFile: true },
  input: z.object({ year, bytes: fileValue }),
  output: z.object({
    cells: z.array(z.object({ accountId: z.string(), month: z.number(), agorot: z.number() })),
    accounts: z.number(),
    totalAgorot: z.object({ income: z.number(), expense: z.number() }),
    faults: z.array(
      z.object({
        row: z.number(),
        why: z.enum(['unknown', 'sum', 'twice']),
        text: z.string(),
        month: z.number().optional(),
      }),
    ),
  }),
  summary:
    'Reads a budget out of a CSV or XLSX file: the sums it would set, and by line what could not be read; nothing is kept',
  errors: [
    'imports.badType',
    'imports.oldExcel',
    'imports.broken',
    'imports.bomb',
    'imports.empty',
    'imports.page',
    'imports.tooManyRows',
    'budget.nothingRead',
  ],
})
export type ReadBudgetAnswer = z.infer<typeof readBudgetFile.output>

export const exportBudget = defineEndpoint({
  name: 'budget.export',
  method: 'GET',
  path: '/api4/invoiceexport/budget/{file}',
  access: see,
  file: true,
  input: z.object({ file: z.string().regex(/^budget\.(csv|xlsx)$/), year }),
  output: z.any(),
  summary: 'The budget of a year as CSV or XLSX, in a form that can be brought in again: budget.{csv|xlsx}',
})

const forecast = '/api4/invoice/forecast'
const seeCash = { rule: 'forecast.see' }
const changeCash = { rule: 'forecast.change' }

const pointValue = z.object({
  day: z.string(),
  agorot: z.number(),
  inAgorot: z.number(),
  outAgorot: z.number(),
})
const movementValue = z.object({
  day: z.string(),
  agorot: z.number(),
  kind: z.enum(movementKinds),
  who: z.string(),
  what: z.string(),
  open: z.string().nullable(),
  late: z.object({ days: z.number(), by: z.enum(habitSources) }).optional(),
  parts: z.array(z.object({ what: z.enum(['soFar', 'newIncome', 'bills']), agorot: z.number() })).optional(),
})

export const cashForecast = defineEndpoint({
  name: 'forecast.cash',
  method: 'GET',
  path: forecast,
  access: seeCash,
  input: z.object({
    /** The so many customers who owe most pay later, by so many days. */
    biggest: queryNumber(
      z.int().min(0, { error: 'fields.range' }).max(50, { error: 'fields.range' }),
    ).default(0),
    laterDays: queryNumber(
      z.int().min(0, { error: 'fields.range' }).max(forecastDays, { error: 'fields.range' }),
    ).default(0),
    noNewIncome: queryBoolean.default(false),
    /** The line and what it says alone, without what it is made of. */
    brief: queryBoolean.default(false),
    floorAgorot: queryNumber(
      z
        .int()
        .min(-1_000_000_000_000, { error: 'fields.range' })
        .max(1_000_000_000_000, { error: 'fields.range' }),
    ).optional(),
  }),
  output: z.object({
    today: z.string(),
    /** What lies where today, and what it comes to. */
    accounts: z.array(z.object({ name: z.string(), agorot: z.number(), open: z.string() })),
    points: z.array(pointValue),
    movements: z.array(movementValue),
    lowest: pointValue,
    belowZero: z.string().nullable(),
    belowFloor: z.string().nullable(),
    /** Debts half a year beyond the day they should have come: not counted on. */
    doubtfulAgorot: z.number(),
    /** The line without any stress, where there is one. */
    calm: z.array(z.number()).nullable(),
    /** Who owes most, the largest first. */
    debtors: z.array(z.object({ name: z.string(), agorot: z.number() })),
    /** What is sold in a usual month, VAT included; null where too little is known. */
    usualSalesAgorot: z.number().nullable(),
    series: z.array(
      z.object({
        key: z.string(),
        who: z.string(),
        what: z.string(),
        rhythm: z.enum(rhythms),
        agorot: z.number(),
        bills: z.number(),
        nextDay: z.string().nullable(),
        isLeftOut: z.boolean(),
        open: z.string(),
      }),
    ),
  }),
  summary:
    'Bank and cash for ninety days: the line, its lowest point, what it is made of, and what if the biggest debtors pay late or nothing new is sold',
})
export type Forecast = z.infer<typeof cashForecast.output>

export const leaveOutSeries = defineEndpoint({
  name: 'forecast.leaveOut',
  method: 'PUT',
  path: `${forecast}/series`,
  access: changeCash,
  input: z.strictObject({ key: z.string().min(1).max(120), isLeftOut: z.boolean() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Leaves a recognised series of bills out of the forecast, or takes it in again',
})

const typedSum = {
  name: z.string().trim().min(1, { error: 'fields.need' }).max(80, { error: 'fields.tooLong' }),
  /** Comes with a plus, goes with a minus. */
  agorot: sumValue.refine((agorot) => agorot !== 0, { error: 'forecast.noSum' }),
  cycle: z.enum(cycles, { error: 'fields.choice' }),
  firstDay: dayValue,
  lastDay: dayValue.nullable().default(null),
}

export const listSums = defineEndpoint({
  name: 'forecast.sums',
  method: 'GET',
  path: `${forecast}/sums`,
  access: seeCash,
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        agorot: z.number(),
        cycle: z.enum(cycles),
        firstDay: z.string(),
        lastDay: z.string().nullable(),
        /** The next day it moves on; null when it never does again. */
        nextDay: z.string().nullable(),
      }),
    ),
  }),
  summary: 'Sums that were typed into the forecast of cash: wages, loans, what the owner takes',
})
export type TypedSum = z.infer<typeof listSums.output>['rows'][number]

/** More would be a second set of books. */
export const mostSums = 200

export const addSum = defineEndpoint({
  name: 'forecast.addSum',
  method: 'POST',
  path: `${forecast}/sums`,
  access: changeCash,
  input: z.strictObject(typedSum),
  output: z.object({ id: z.string() }),
  summary: 'Types a sum into the forecast: on a day, or every week, month, two months or year until a day',
  errors: ['kit.tooMuch'],
})
export const changeSum = defineEndpoint({
  name: 'forecast.changeSum',
  method: 'PUT',
  path: `${forecast}/sums/{id}`,
  access: changeCash,
  input: z.strictObject({ id: z.uuid(), ...typedSum }),
  output: z.object({ id: z.string() }),
  summary: 'Changes a sum of the forecast',
  errors: ['kit.notFound'],
})
export const dropSum = defineEndpoint({
  name: 'forecast.dropSum',
  method: 'DELETE',
  path: `${forecast}/sums/{id}`,
  access: changeCash,
  input: z.object({ id: z.uuid() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Takes a sum out of the forecast',
  errors: ['kit.notFound'],
})
