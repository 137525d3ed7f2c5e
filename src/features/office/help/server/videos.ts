import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from '#kit/describe/errors.ts'
import type { Language } from '#kit/server/context.ts'
import { root } from '#kit/server/settings.ts'
import { say } from '#kit/server/words.ts'
import { walkList, type Cues } from '../walks.ts'

export const videosFolder = join(root, 'src/features/office/help/videos')

let read: Record<string, Record<string, Cues>> | undefined

/** The time of each caption of each video: written beside the videos by `npm run videos`. */
const allCues = () =>
  (read ??= JSON.parse(readFileSync(join(videosFolder, 'cues.json'), 'utf8')) as Record<
    string,
    Record<string, Cues>
  >)

const cuesOf = (name: string, shown: string): Cues => {
  const found = allCues()[name]?.[shown]
  if (!found) throw fail('kit.notFound')
  return found
}

export const listVideos = ({ shown }: { shown: string }) => ({
  videos: walkList.map(({ name }) => ({ name, seconds: cuesOf(name, shown).seconds })),
})

export const captionsOf = ({ name, shown, lang }: { name: string; shown: string; lang: Language }) => ({
  cues: cuesOf(name, shown).cues.map(({ from, to }, n) => ({
    from,
    to,
    text: say(lang, `help.walk.${name}.${n + 1}`),
  })),
})
