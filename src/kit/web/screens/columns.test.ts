import { expect, test } from 'vitest'
import { defineResource } from '#kit/describe/resource.ts'
import { money, text } from '#kit/fields/field.ts'
import { tableColumns } from './columns.tsx'

const debts = defineResource({
  name: 'debts',
  table: 'debts',
  prefix: '/api',
  title: 'name',
  fields: { name: text(), amountAgorot: money(), vatAgorot: money() },
  list: { columns: ['name', 'amountAgorot', 'vatAgorot'], filters: [], sort: ['name', 'asc'] },
  form: [],
  allow: { see: 'x', change: 'x' },
  screens: { list: '/debts', form: '/debts' },
})
const onCard = (clothes: Parameters<typeof tableColumns>[3]) =>
  tableColumns(
    debts as never,
    ['name', 'amountAgorot', 'vatAgorot'],
    ((key: string) => key) as never,
    clothes,
  )
    .filter(({ phone }) => phone === 'amount')
    .map(({ key }) => key)

test('a phone’s card shows one sum: the last one, or the one its register names', () => {
  expect(onCard({} as never)).toEqual(['vatAgorot'])
  expect(onCard({ columns: { amountAgorot: { phone: 'amount' } } } as never)).toEqual(['amountAgorot'])
})
