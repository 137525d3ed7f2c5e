import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTerminal } from '#features/money/acquirers/endpoints.ts'
import { createLink } from '#features/money/paymentLinks/endpoints.ts'
import { findCaller, implementations, languageFile, letterhead, reports, wingOf } from '../src/features.ts'
import { createHttp } from '#kit/server/http/http.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/** A folder in place of the built application; its page is the one of the sources here. */
const built = mkdtempSync(join(tmpdir(), 'pinkas-built-'))
let world: World
let me: Business
let http: FastifyInstance

beforeAll(async () => {
  mkdirSync(join(built, 'icons'))
  const source = readFileSync(new URL('../index.html', import.meta.url), 'utf8')
  writeFileSync(join(built, 'index.html'), source.replace('<script></script>', '<script>early()</script>'))
  writeFileSync(join(built, 'favicon.ico'), readFileSync(new URL('../public/favicon.ico', import.meta.url)))
  world = await startWorld()
  me = await newBusiness(world, { name: 'מוסך <הגליל> & בניו' })
  http = await createHttp(
    { ...world.app, settings: { ...world.app.settings, securityContact: 'mailto:security@pinkas.test' } },
    { implementations, reports, findCaller, languageFile, letterhead, wingOf },
    built,
  )
  await http.ready()
})
afterAll(async () => {
  await http.close()
  await world.close()
})

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  http.inject({ method, url, headers })

describe('pages', () => {
  test.each<Record<string, string>>([{}, { accept: '*/*' }, { accept: 'text/html' }])(
    'answer a page to whoever asks with %j',
    async (headers) => {
      for (const path of [
        '/',
        '/login',
        '/payment/nobodyHasThisKey0',
        '/invoice/documents?page=2',
        '/api/doc',
      ]) {
        const answer = await ask(path, headers)
        expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([
          path,
          200,
          'text/html; charset=utf-8',
        ])
        expect(answer.headers['content-security-policy']).not.toContain('unsafe')
        expect(answer.headers['permissions-policy']).toContain('camera=(self)')
      }
      expect((await ask('/login', headers, 'HEAD')).statusCode).toBe(200)
    },
  )

  test('answer who asks for the head alone as they would the whole, on a line that serves on', async () => {
    const address = await http.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const askFor = (method: string, path: string) =>
      new Promise<{ status: number | undefined; type: string | undefined; length: number }>(
        (done, refuse) => {
          request(address + path, { method, agent }, (answer) => {
            let length = 0
            answer.on('data', (part: Buffer) => (length += part.length))
            answer.on('end', () =>
              done({ status: answer.statusCode, type: answer.headers['content-type'], length }),
            )
          })
            .on('error', refuse)
            .end()
        },
      )
    for (const path of [
      '/healthz',
      '/login',
      '/robots.txt',
      '/api/openapi.json',
      '/api4/invoice/documents',
    ]) {
      const head = await askFor('HEAD', path)
      const whole = await askFor('GET', path)
      expect(head).toEqual({ ...whole, length: 0 })
      expect(whole.length).toBeGreaterThan(0)
    }
    agent.destroy()
  })

  test('lets no script run that stands in a page, but the one that was built into it', async () => {
    const policy = String((await ask('/login')).headers['content-security-policy'])
    const hash = createHash('sha256').update('early()').digest('base64')
    expect(/script-src [^;]*/.exec(policy)?.[0]).toBe(`script-src 'self' 'sha256-${hash}'`)
    // A business's own page, and what a service worker caches, are under the same policy.
    for (const path of ['/index.html', '/paymentpage/nobodyHasThisKey0'])
      expect([path, (await ask(path)).headers['content-security-policy']]).toEqual([path, policy])
  })

  test('a call that there is not says so, and what is missing is a file or a page', async () => {
    for (const path of ['/api4/invoice/nothing', '/api/nothing', '/api9']) {
      const answer = await ask(path, { accept: 'text/html', 'x-language': 'en' })
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 404, 'kit.noCall'])
      expect(answer.json().title).toBe('There is no such call in the API.')
    }
    for (const path of [
      '/assets/none.js',
      '/assets/..%2findex.html',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/brands/..%2fsecrets.json',
    ]) {
      const answer = await ask(path)
      expect([path, answer.statusCode, answer.json().code]).toEqual([path, 404, 'kit.notFound'])
    }
  })

  test('what stands beside them: robots, the contact for security, the icon', async () => {
    expect((await ask('/robots.txt')).body).toMatch(/^User-agent: \*\nDisallow: \/api\n/)
    expect((await ask('/.well-known/security.txt')).body).toContain('Contact: mailto:security@pinkas.test')
    const icon = await ask('/favicon.ico')
    expect([
      icon.statusCode,
      icon.headers['content-type'],
      icon.rawPayload.subarray(0, 4).toString('hex'),
    ]).toEqual([200, 'image/vnd.microsoft.icon', '00000100'])
  })
})

describe('pages that a business shows to strangers', () => {
  test('have its name and its logo, and give nothing away', async () => {
    const customer = await me.customer('סודי ביותר', { email: 'secret@example.com' })
    const invoice = await me.invoice(customer.id, '9876.54')
    world.app.settings.testAcquirer = true
    await me.call(addTerminal, { gateway: 'test' })
    const link = await me.call(createLink, {
      customerId: customer.id,
      description: 'פרטים סודיים',
      amountAgorot: 987_654,
    })
    const history = await me.send('POST', `/api4/invoice/customers/${customer.id}/page`)
    const pixel = readFileSync(new URL('../public/icons/app-192.png', import.meta.url)).toString('base64')
    const document = await me.get(`/api4/invoice/documents/${invoice.id}`)
    const paths = [
      new URL(document.urls.page).pathname,
      new URL((link as { url: string }).url).pathname,
      new URL(history.url).pathname,
    ]
    for (const hasLogo of [false, true]) {
      if (hasLogo) await me.send('PUT', '/api4/invoice/company/logo', { image: pixel })
      for (const path of paths) {
        const answer = await ask(path)
        expect(answer.statusCode).toBe(200)
        expect(answer.headers['x-robots-tag']).toBe('noindex, nofollow')
        const page = answer.body
        expect(page).toContain('<title>מוסך &lt;הגליל&gt; &amp; בניו</title>')
        expect(page).toContain('<meta property="og:title" content="מוסך &lt;הגליל&gt; &amp; בניו" />')
        expect(page).toContain('<meta name="robots" content="noindex, nofollow" />')
        expect(page).not.toMatch(/סודי|secret|9,?876|987654/)
        const picture = /og:image" content="([^"]+)"/.exec(page)?.[1]
        expect([path, picture !== undefined]).toEqual([path, hasLogo])
        if (picture) {
          const shown = await ask(new URL(picture).pathname)
          expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png'])
        }
      }
    }
    // Looking at what a link leads to is no opening of it.
    expect((await me.get(`/api4/invoice/documents/${invoice.id}`)).viewedAt ?? null).toBe(null)
  })

  test('a key that nobody has opens a page without a face', async () => {
    const answer = await ask('/payment/nobodyHasThisKey0')
    expect(answer.body).toContain('<title>פנקס</title>')
    expect(answer.headers['x-robots-tag']).toBe('noindex, nofollow')
  })
})
