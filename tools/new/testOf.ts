import type { Column } from './columns.ts'

const samples: Record<string, (name: string) => unknown> = {
  longText: () => 'שורה ראשונה\nושנייה',
  email: () => 'first@example.com',
  phone: () => '03-6001234',
  taxId: () => '514756428',
  money: () => 12_300,
  price: () => '12.5',
  quantity: () => '1.5',
  percent: () => 1_250,
  number: () => 7,
  day: () => '2026-03-04',
  moment: () => '2026-03-04T09:00:00.000Z',
  flag: () => true,
  text: (name) => `${name} ראשון`,
}

const sample = ({ name, kind, choices }: Column): unknown =>
  choices.length ? choices[0]!.name : samples[kind]!(name)

/**
 * The test a described thing begins with: through the real handler and database, by its owner, a stranger and
 * a worker without the right.
 */
export function testOf(name: string, feature: string, fields: Column[]): string {
  const title = fields[0]!.name
  const given = fields
    .map(
      (f) =>
        `  ${f.name}: ${JSON.stringify(sample(f))
          .replaceAll("'", "\\'")
          .replace(/^"([\s\S]*)"$/, "'$1'")},`,
    )
    .join('\n')
  return `import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const list = '/api4/invoice/${name}'
const given = {
${given}
}
const found = async (of: Business, query = '') => (await of.get<{ rows: { id: string }[] }>(\`\${list}\${query}\`)).rows.map(({ id }) => id)

test('one is made, found, changed, put away and brought back', async () => {
  const { id } = await shop.send('POST', list, given)
  expect(await shop.get(\`\${list}/\${id}\`)).toMatchObject({ ${title}: given.${title} })
  expect(await found(shop, \`?q=\${encodeURIComponent(given.${title}.slice(0, 5))}\`)).toEqual([id])
  expect(await found(shop, '?q=nobody')).toEqual([])
  expect(await shop.send('PATCH', \`\${list}/\${id}\`, { ${title}: 'אחר' })).toMatchObject({ ${title}: 'אחר' })
  await shop.send('DELETE', \`\${list}/\${id}\`)
  expect(await found(shop)).toEqual([])
  await shop.send('POST', \`\${list}/\${id}/restore\`)
  expect(await found(shop)).toEqual([id])
  await expect(shop.send('POST', list, { ...given, ${title}: '' })).rejects.toMatchObject({ errors: [{ path: '${title}' }] })
})

test('a stranger sees none of it, and a worker without the right is refused', async () => {
  const stranger = await newBusiness(world)
  const { id } = await shop.send('POST', list, { ...given, ${title}: 'שלי בלבד' })
  expect(await found(stranger)).toEqual([])
  await expect(stranger.get(\`\${list}/\${id}\`)).rejects.toMatchObject({ status: 404 })
  await expect(stranger.send('PATCH', \`\${list}/\${id}\`, { ${title}: 'שלו' })).rejects.toMatchObject({ status: 404 })
  const { companyId } = await stranger.get<{ companyId: string }>('/api/user/session')
  // Everything but what ${feature} asks for.
  await asSystem(world.app.db, (tx) => sql\`update memberships set rules = '{9999}' where company_id = \${companyId}\`.execute(tx))
  await expect(stranger.get(list)).rejects.toMatchObject({ status: 403 })
  await expect(stranger.send('POST', list, given)).rejects.toMatchObject({ status: 403 })
})
`
}
