import type { LanguageCode } from '#domain/languages.ts'
import ar from '../../text/paper.ar.json' with { type: 'json' }
import en from '../../text/paper.en.json' with { type: 'json' }
import fr from '../../text/paper.fr.json' with { type: 'json' }
import he from '../../text/paper.he.json' with { type: 'json' }
import ru from '../../text/paper.ru.json' with { type: 'json' }
import { brandHere } from '#kit/server/work/threads/currentBusiness.ts'
import type { PaperWords } from './source.ts'

const all: Record<LanguageCode, PaperWords> = { he, en, ar, ru, fr }

/** The footer of a document: the name of the product, or of the brand it is sold under. */
export const madeWith = (say: (key: string) => string, brandName: string | undefined): string =>
  brandName === undefined ? say('madeWith') : say('madeWithBrand').replace('{name}', () => brandName)

/** The words printed on documents of a language, by key 'paper.…'; a brand's own over them. */
export const paperWords = (language: LanguageCode): PaperWords => ({
  ...all[language],
  ...brandHere()?.words[language],
})
