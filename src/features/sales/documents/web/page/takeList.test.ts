import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'

test('rows of figures to take stand under a head: only the list that has one draws them', () => {
  const web = join(root, 'src/features/sales/documents/web')
  const drawn = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .filter((file) => readFileSync(join(web, file), 'utf8').includes('doc-take'))
  expect(drawn.map((file) => file.replaceAll('\\', '/'))).toEqual(['page/TakeList.tsx'])
})
