import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAs, startDemo, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'

let world: World
let token: string
beforeAll(async () => {
  ;({ world, token } = await startDemo())
  await world.worker.drain()
}, 120_000)
afterAll(() => world.close())

/**
 * A register imports its own export, field by field and in the words of the export: nothing is new, changed or
 * faulty.
 */
test('every register of the demo business comes back from its own export unchanged', async () => {
  // Expenses are imported line by line and exported bill by bill; their way back has a separate test. Tasks of one
  // title are different tasks, and the number of a document they belong to may be that of several: they are imported as
  // new. So are standing orders: those of a file are of the plainest kind.
  const registers = (await callAs(world, calls.importable, {}, { token })).rows.filter(
    ({ resource }) => !['expenses', 'tasks', 'standingOrders'].includes(resource),
  )
  expect(registers.map(({ resource }) => resource)).toEqual(
    expect.arrayContaining(['customers', 'items', 'accounts', 'suppliers']),
  )
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const { resource, fields } of registers) {
    const columns = fields.map(({ name }) => name).filter((name) => !name.startsWith('own:'))
    const csv = await world.http.inject({
      method: 'GET',
      url: `/api4/invoiceexport/${resource}?format=csv&columns=${columns.join(',')}`,
      headers: { 'x-access-token': token },
    })
    expect({ resource, status: csv.statusCode }).toEqual({ resource, status: 200 })
    const lines = csv.body.trim().split('\r\n').length - 1
    if (lines < 1) continue
    const one = await callAs(
      world,
      calls.uploadImport,
      { resource, name: `${resource}.csv`, bytes: csv.rawPayload },
      { token },
    )
    expect({ resource, mapping: one.mapping.slice(0, columns.length) }).toEqual({
      resource,
      mapping: columns,
    })
    await callAs(world, calls.checkImport, { id: one.id, mapping: one.mapping }, { token })
    await world.worker.drain()
    const { counts, error } = await callAs(world, calls.getImport, { id: one.id }, { token })
    const { rows } = await callAs(world, calls.importRows, { id: one.id }, { token })
    const changed = await callAs(world, calls.importRows, { id: one.id, outcome: 'change' }, { token })
    found[resource] = {
      counts: Object.keys(counts),
      error,
      faults: rows
        .slice(0, 3)
        .flatMap((row) =>
          row.faults.map(({ title, value, text }) => `${row.title} ${title} ${value} ${text}`),
        ),
      changes: changed.rows.slice(0, 3).map(({ before, after }) => ({ before, after })),
    }
    expected[resource] = { counts: ['same'], error: null, faults: [], changes: [] }
  }
  expect(found).toEqual(expected)
}, 240_000)
