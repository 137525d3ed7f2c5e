import path from 'node:path'
import { momentInJerusalem, type Day } from '#domain/day.ts'
import type { LanguageCode } from '#domain/languages.ts'
import { formatDay } from '#domain/format.ts'
import { accentOf } from '#kit/server/paper/accent.ts'
import { PaperError, renderPdf, renderSvg, type PaperJob } from '#kit/server/paper/engine.ts'
import { imageSize } from '#kit/server/paper/image.ts'
import { checkoutRoot } from '#kit/server/root.ts'
import { partyOf, registrationOf } from './paperOf.ts'
import { signatureShape } from './render.ts'
import { code, freeText } from './say.ts'
import type { PaperSettings, SourceBusiness, SourceParty } from './source.ts'
import { madeWith, paperWords } from './words.ts'

/** A letter on the business's paper, every field of it filled in. */
export interface LetterSource {
  readonly language: LanguageCode
  readonly day: Day
  /** It goes into the file: the same letter gives the same file. */
  readonly madeAt: Date
  readonly title: string
  readonly body: string
  readonly business: SourceBusiness
  readonly customer?: SourceParty
  readonly settings: PaperSettings
  /** The word behind a letter that is not sent yet. */
  readonly isDraft: boolean
  readonly seal?: { readonly kind: 'secure' | 'plain'; readonly by: string; readonly at: Date }
}

/** The letter as a PDF/A file, not yet sealed. */
export const letterPdf = (source: LetterSource): Promise<Uint8Array> => letter(source, renderPdf)

/** Pictures of its pages, to look at before it is sent. */
export const letterSvg = (source: LetterSource): Promise<string[]> => letter(source, renderSvg)

async function letter<T>(source: LetterSource, made: (job: PaperJob) => Promise<T>): Promise<T> {
  const words = paperWords(source.language)
  const say = (key: string) => words[`paper.${key}`] ?? key
  const direction = source.language === 'he' || source.language === 'ar' ? 'rtl' : 'ltr'
  const free = (text: string) => freeText(text, direction)
  const { business, settings, seal } = source
  const moment = momentInJerusalem(source.madeAt)
  const name = free(business.nameInLanguage ?? business.name)
  const registration = registrationOf(business, source.language, say)
  const logo = business.logo && imageSize(business.logo)
  const signature =
    business.signature && imageSize(business.signature) ? { picture: business.signature, label: name } : null
  const sealed = seal && momentInJerusalem(seal.at)
  const data = {
    layout: settings.layout === 'modern' || settings.layout === 'compact' ? settings.layout : 'classic',
    language: source.language,
    direction,
    accent: accentOf(settings.accent),
    fileTitle: source.title,
    author: business.name,
    madeAt: [...moment.day.split('-'), ...moment.time.split(':'), '0'].map(Number),
    // What the shared parts look for and a letter has not.
    bodySize: 10,
    rowPad: 5.4,
    tableEdge: 0,
    totalsWidth: 62,
    totalColumn: 60,
    columns: [],
    lines: [],
    carry: { on: false },
    anyTexts: false,
    logoRatio: logo ? logo.width / logo.height : 1,
    business: {
      name,
      lines: [...business.address.map(free), registration.long],
      contact: [business.phone, business.email, business.website].flatMap((part) =>
        part ? [code(part)] : [],
      ),
    },
    customer: source.customer ? partyOf(source.customer, say('to'), say, free) : null,
    date: { label: say('date'), value: code(formatDay(source.day)) },
    title: free(source.title),
    // An empty line is the space between paragraphs.
    paragraphs: source.body
      .replace(/\r\n?/g, '\n')
      .split(/\n{2,}/)
      .map((one) => free(one.trim()))
      .filter((one) => one !== ''),
    watermark: business.isTest ? say('test') : source.isDraft ? say('draft') : null,
    handSignature: signature && signatureShape(signature),
    seal:
      seal && sealed
        ? {
            heading: say(`sealed.${seal.kind}`),
            lines: [`${free(seal.by)}, ${code(formatDay(sealed.day))}, ${code(sealed.time)}`],
          }
        : null,
    footer: {
      pieces: [
        name,
        registration.short,
        ...(settings.showPinkas === false ? [] : [madeWith(say, settings.brandName)]),
      ],
      page: say('page'),
    },
  }
  const template = path.join(checkoutRoot, 'src/features/sales/documents/server/paper/letter.typ')
  const images = {
    ...(logo ? { logo: business.logo! } : {}),
    ...(signature ? { signature: signature.picture } : {}),
  }
  try {
    return await made({ template, data, images })
  } catch (error) {
    // A damaged picture must not stop a letter.
    if (!(error instanceof PaperError) || Object.keys(images).length === 0) throw error
    return made({ template, data: { ...data, handSignature: null }, images: {} })
  }
}
