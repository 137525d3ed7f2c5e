import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '#kit/server/settings.ts'
import { callAs, startWorld, type World } from '../../../../tests/world.ts'
import { legalContact } from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

test('whoever runs the installation says where to write, and who is the accessibility coordinator', async () => {
  expect(await callAs(world, legalContact, {})).toMatchObject({
    mail: 'hello@pinkas.example',
    accessibility: { name: '', phone: '' },
  })
  const before = { ...process.env }
  try {
    Object.assign(process.env, {
      CONTACT_MAIL: 'us@example.com',
      ACCESSIBILITY_NAME: 'רות לוי',
      ACCESSIBILITY_PHONE: '03-5550100',
    })
    world.app.settings.contact = readSettings().contact
  } finally {
    for (const name of ['CONTACT_MAIL', 'ACCESSIBILITY_NAME', 'ACCESSIBILITY_PHONE']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
  // A question that the text leaves open is answered at the one address there is.
  expect(await callAs(world, legalContact, {})).toEqual({
    mail: 'us@example.com',
    privacy: 'us@example.com',
    accessibility: { name: 'רות לוי', mail: 'us@example.com', phone: '03-5550100' },
  })
})
