import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Locator, Page } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import type { Cues } from '#features/office/help/walks.ts'
import { wordsIn } from '../tests/journeys/support.ts'
import { onServer } from './onServer.ts'
import { openPage } from './tour.ts'
import { shown, walks, type Walk } from './videos/walks.ts'

// The videos of the help: `npm run videos -- [walk …] [--lang=he,en]`. Each is a walk through the built product over a
// separate business, recorded picture by picture, and packed by ffmpeg, which must be on the machine. They and the
// times of their captions are committed.
const most = 300_000
const size = { width: 1080, height: 680 }
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const langs = (process.argv
  .find((a) => a.startsWith('--lang='))
  ?.split('=')[1]
  ?.split(',') ?? [...shown]) as (typeof shown)[number][]
const out = join(root, 'src/features/office/help/videos')
const cuesFile = join(out, 'cues.json')
if (spawnSync('ffmpeg', ['-version']).error) throw new Error('npm run videos needs ffmpeg on this machine')
if (!existsSync(join(root, 'dist/server/server.js')))
  throw new Error('npm run videos shows what was built: npm start builds')

/** A hand one can follow: a recorded page shows no pointer. */
const hand = () => {
  if (window !== window.top) return
  // Nothing here has a name: what is compiled for Node would ask for its helpers, which a page has not.
  addEventListener('DOMContentLoaded', () => {
    const at = document.createElement('div')
    at.style.cssText =
      'position:fixed;z-index:2147483647;width:22px;height:22px;margin:-11px;border-radius:50%;background:rgba(230,120,20,.45);border:2px solid rgba(190,80,0,.9);pointer-events:none;left:50%;top:60%;transition:transform .15s'
    document.documentElement.append(at)
    addEventListener(
      'mousemove',
      (e) => Object.assign(at.style, { left: `${e.clientX}px`, top: `${e.clientY}px` }),
      true,
    )
    addEventListener('mousedown', () => (at.style.transform = 'scale(.6)'), true)
    addEventListener('mouseup', () => (at.style.transform = ''), true)
  })
}

/** Pictures as they come, each with the second it came at. */
async function record(
  page: Page,
  folder: string,
): Promise<{ since: () => number; stop: () => Promise<void> }> {
  const client = await page.context().newCDPSession(page)
  const frames: { file: string; at: number }[] = []
  const began = Date.now() / 1000
  client.on('Page.screencastFrame', ({ data, sessionId, metadata }) => {
    const file = join(folder, `${String(frames.length).padStart(5, '0')}.png`)
    writeFileSync(file, Buffer.from(data, 'base64'))
    frames.push({ file, at: Math.max(0, (metadata.timestamp ?? Date.now() / 1000) - began) })
    void client.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await client.send('Page.startScreencast', { format: 'png', maxWidth: size.width, maxHeight: size.height })
  const since = () => Date.now() / 1000 - began
  return {
    since,
    stop: async () => {
      await client.send('Page.stopScreencast')
      const end = since()
      const lines = frames.flatMap(({ file, at }, n) => [
        `file '${file}'`,
        `duration ${Math.max(0.01, (frames[n + 1]?.at ?? end) - at).toFixed(3)}`,
      ])
      writeFileSync(join(folder, 'list.txt'), `${[...lines, `file '${frames.at(-1)!.file}'`].join('\n')}\n`)
    },
  }
}

/** Packs the pictures, coarser until they are small enough; meanwhile what the server says is still heard. */
async function pack(folder: string, file: string): Promise<number> {
  for (const quality of [34, 40, 46, 52, 58]) {
    const from = `-y -loglevel error -f concat -safe 0 -i ${join(folder, 'list.txt')} -vf fps=8,scale=${size.width}:${size.height} -an`
    const to = `-c:v libvpx-vp9 -pix_fmt yuv420p -crf ${quality} -b:v 0 -g 240 -tune-content screen -row-mt 1 -cpu-used 2`
    await promisify(execFile)('ffmpeg', [...`${from} ${to}`.split(' '), '-metadata', 'encoder=', file])
    if (statSync(file).size <= most) return statSync(file).size
  }
  throw new Error(`${file} is over ${most} bytes at its coarsest: make the walk shorter`)
}

async function render(
  walk: Walk,
  lang: (typeof shown)[number],
  base: string,
  browser: Browser,
): Promise<Cues> {
  const t = wordsIn(lang)
  const { tour, path } = await walk.begin(base)
  const context = await browser.newContext({
    viewport: size,
    locale: lang,
    timezoneId: 'Asia/Jerusalem',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  await context.addInitScript(hand)
  const { page, failures, quiet } = await openPage(context, tour, path, { lang })
  const folder = mkdtempSync(join(tmpdir(), 'pinkas-walk-'))
  const film = await record(page, folder)
  const cues: Cues['cues'] = []
  const rest = (ms: number) => page.waitForTimeout(ms)
  const endCue = () => {
    const last = cues.at(-1)
    if (last) last.to = Number(film.since().toFixed(2))
  }
  const point = async (to: Locator) => {
    await to.scrollIntoViewIfNeeded()
    const box = (await to.boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 24), { steps: 14 })
    await rest(250)
  }
  await walk.go({
    page,
    t,
    tour,
    rest,
    quiet,
    point,
    say: async () => {
      endCue()
      const text = t(`help.walk.${walk.name}.${cues.length + 1}`)
      cues.push({ from: Number(film.since().toFixed(2)), to: 0 })
      // As long as one reads: some fifteen letters a second.
      await rest(Math.max(2200, text.length * 62))
    },
    press: async (what) => {
      await point(what)
      await page.mouse.down()
      await rest(90)
      await page.mouse.up()
      await rest(450)
    },
    type: async (text) => {
      await page.keyboard.type(text, { delay: 55 })
      await rest(350)
    },
  })
  await rest(800)
  endCue()
  const seconds = Math.round(film.since())
  await film.stop()
  await context.close()
  if (failures.length) throw new Error(`${walk.name} ${lang}: ${failures.join('; ')}`)
  const bytes = await pack(folder, join(out, `${walk.name}.${lang}.webm`))
  rmSync(folder, { recursive: true, force: true })
  console.log(`${walk.name} ${lang}: ${seconds} s, ${Math.round(bytes / 1000)} kB`)
  return { seconds, cues }
}

mkdirSync(out, { recursive: true })
await onServer(async ({ base, browser }) => {
  for (const walk of walks.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
    for (const lang of langs) {
      const made = await render(walk, lang, base, browser)
      const all = existsSync(cuesFile)
        ? (JSON.parse(readFileSync(cuesFile, 'utf8')) as Record<string, Record<string, Cues>>)
        : {}
      all[walk.name] = { ...all[walk.name], [lang]: made }
      writeFileSync(cuesFile, `${JSON.stringify(all, undefined, 2)}\n`)
    }
})
