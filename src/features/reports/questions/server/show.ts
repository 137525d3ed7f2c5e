import type { Question } from '#domain/questions/model.ts'
import type { Ctx } from '#kit/server/context.ts'
import { keep } from './keep.ts'

const thisYear = { kind: 'period', period: { unit: 'year', from: 0, to: 0 } } as const

/** Three questions a business may well ask, so that newcomers see what can be kept. */
const shown: { name: string; question: Question }[] = [
  {
    name: 'עשרת הלקוחות הגדולים, לפי רבעון',
    question: {
      fact: 'income',
      rows: ['customer'],
      column: 'quarter',
      measures: [{ name: 'net', as: 'value' }],
      filters: [thisYear],
      sort: 'most',
      top: { most: 10, others: true },
    },
  },
  {
    name: 'מה נמכר יותר, ואיזה חלק מההכנסה',
    question: {
      fact: 'lines',
      rows: ['item'],
      column: null,
      measures: [
        { name: 'quantity', as: 'value' },
        { name: 'net', as: 'value' },
        { name: 'net', as: 'share' },
      ],
      filters: [thisYear],
      sort: 'most',
      top: null,
    },
  },
  {
    name: 'הוצאות לפי סוג, השנה מול שנה שעברה',
    question: {
      fact: 'expenses',
      rows: ['expenseType'],
      column: 'year',
      measures: [{ name: 'net', as: 'value' }],
      filters: [{ kind: 'period', period: { unit: 'year', from: -1, to: 0 } }],
      sort: 'most',
      top: null,
    },
  },
]

export async function showQuestions(ctx: Ctx): Promise<void> {
  for (const one of shown) await keep(ctx, { ...one, forEverybody: true })
}
