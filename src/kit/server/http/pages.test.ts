import { describe, expect, test } from 'vitest'
import { asksForPage, securityText, withFace } from './pages.ts'

describe('who asks for a page', () => {
  test.each([
    ['a browser', 'GET', '/login', 'text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['curl', 'GET', '/login', '*/*', true],
    ['who says nothing', 'GET', '/paymentdoc/abc', undefined, true],
    ['a monitor', 'HEAD', '/', undefined, true],
    ['a program', 'GET', '/invoice/documents', 'application/json', false],
    ['a call that there is not', 'GET', '/api4/invoice/nothing', 'text/html', false],
    ['the page of the API', 'GET', '/api/doc', undefined, true],
    ['a file that there is not', 'GET', '/assets/x.js', '*/*', false],
    ['a picture that there is not', 'GET', '/logo.png', '*/*', false],
    ['a post', 'POST', '/login', 'text/html', false],
    ['an icon that there is not', 'GET', '/icons/none.svg', 'text/html', false],
  ])('%s', (_who, method, path, accept, isPage) => {
    expect(asksForPage(method, path, accept)).toBe(isPage)
  })
})

test('a name with signs of HTML stays a name', () => {
  const html =
    '<!doctype html>\n<html lang="he" dir="rtl">\n<head>\n<title>x</title>\n<meta name="description" content="y" />\n</head></html>'
  const page = withFace(
    html,
    { language: 'en', title: `<b>"A" & 'B'</b> $& $1`, description: 'd"', image: '/logo?a=1&b="' },
    'https://x.test',
  )
  expect(page).toContain('<html lang="en" dir="ltr">')
  expect(page).toContain('<title>&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt; $&amp; $1</title>')
  expect(page).toContain('<meta property="og:image" content="https://x.test/logo?a=1&amp;b=&quot;" />')
  expect(page).not.toMatch(/<b>|content="y"/)
})

test('the contact for faults of security ends some day, as the standard asks', () => {
  expect(securityText('mailto:a@x.test', 'https://x.test', new Date('2026-11-20T10:00:00Z'))).toMatch(
    /^Contact: mailto:a@x\.test\nExpires: 2027-05-19T00:00:00\.000Z\n/,
  )
})
