import path from 'node:path'
import { isolate, isolateRuns } from '#domain/bidi.ts'
import { momentInJerusalem } from '#domain/day.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { accentOf } from '#kit/server/paper/accent.ts'
import { renderPdf } from '#kit/server/paper/engine.ts'
import { refuseUnprintable } from '#kit/server/paper/printable.ts'
import { readPdf } from '#kit/server/seal/pdfFile.ts'
import { pagesOf } from '#kit/server/seal/pdfValues.ts'
import { Additions, appendPages, Guest } from '#kit/server/seal/stamp.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, logoOf } from '#features/base/companies/server/index.ts'
import type { SignField } from '../shapes.ts'
import { folder } from './paper/fields.ts'

/**
 * One box of a sheet. `beside`: its words are beside it on a separate line, as a question and its answer are.
 */
export interface SheetBox
  extends
    Pick<SignField, 'id' | 'kind' | 'label'>,
    Partial<Pick<SignField, 'must' | 'check' | 'merge' | 'options'>> {
  beside?: boolean
}

export interface Sheet {
  language: Language
  title: string
  /** Paragraphs, parted by an empty line. */
  text: string
  /** Lines of one or two boxes, in reading order. */
  rows: readonly (readonly SheetBox[])[]
}

const page = { width: 595.28, height: 841.89, side: 62, top: 50, bottom: 62 }
const wide = page.width - 2 * page.side
const [gutter, labelHeight, gap, answer, answerWidth] = [16, 13, 9, 22, 96]

const heightOf = ({ kind }: SheetBox): number => (kind === 'signature' ? 62 : 22)

interface Placed {
  box: SheetBox
  x: number
  y: number
  w: number
  h: number
  label: { x: number; y: number; w: number; h: number }
}

/** Where boxes lie in the foot of the last page, in points from its upper left corner. */
function placed(rows: Sheet['rows'], isRtl: boolean): { boxes: Placed[]; height: number } {
  const boxes: Placed[] = []
  let y = 0
  for (const row of rows) {
    const [first] = row
    if (first?.beside) {
      const x = isRtl ? 0 : wide - answerWidth
      boxes.push({
        box: first,
        x,
        y,
        w: answerWidth,
        h: answer,
        label: { x: isRtl ? answerWidth + gutter : 0, y, w: wide - answerWidth - gutter, h: answer },
      })
      y += answer + 6
      continue
    }
    const w = (wide - gutter * (row.length - 1)) / row.length
    const tallest = Math.max(...row.map(heightOf))
    for (const [at, box] of row.entries()) {
      const x = (isRtl ? row.length - 1 - at : at) * (w + gutter)
      const h = heightOf(box)
      boxes.push({ box, x, y: y + labelHeight, w, h, label: { x, y, w, h: labelHeight - 2 } })
    }
    y += labelHeight + tallest + gap
  }
  return { boxes, height: y }
}

/**
 * A sheet of the business with boxes to be filled in and signed, and the fields that lie over them; all
 * belong to the role 'r1'.
 */
export async function sheetPdf(
  ctx: Ctx,
  { language, title, text, rows }: Sheet,
): Promise<{ pdf: Uint8Array; fields: SignField[] }> {
  refuseUnprintable({ title, text })
  const company = await companyOf(ctx)
  const logo = await logoOf(ctx)
  const isRtl = language === 'he' || language === 'ar'
  const direction = isRtl ? 'rtl' : 'ltr'
  const free = (given: string) => isolateRuns(given, direction)
  const { boxes, height } = placed(rows, isRtl)
  const moment = momentInJerusalem(ctx.now)
  const address = [company.street, company.city].filter(Boolean).join(', ')
  const pdf = await renderPdf({
    template: path.join(folder, 'sign-sheet.typ'),
    data: {
      language,
      direction,
      accent: accentOf(company.accent),
      fileTitle: title,
      author: company.name,
      madeAt: [...moment.day.split('-'), ...moment.time.split(':'), '0'].map(Number),
      footer: {
        pieces: [free(company.name)],
        page: say(language, 'signing.paper.page', { page: '{page}', pages: '{pages}' }),
      },
      page,
      business: {
        name: free(company.name),
        lines: [company.taxId ? isolate(company.taxId) : '', free(address)].filter(Boolean),
      },
      title: free(title),
      paragraphs: text.split(/\n\n+/).map(free),
      height,
      boxes: boxes.map(({ box, x, y, w, h, label }) => ({
        x,
        y,
        w,
        h,
        beside: box.beside ?? false,
        label: { ...label, text: free(box.label) },
      })),
    },
    images: logo ? { logo: logo.bytes } : {},
    standard: '1.7',
    tagged: false,
  })
  const last = pagesOf(readPdf(Buffer.from(pdf))).length
  const top = page.height - page.bottom - height
  const fields = boxes.map(({ box: { beside: _, ...box }, x, y, w, h }): SignField => ({
    role: 'r1',
    page: last,
    must: true,
    check: 'none',
    merge: 'none',
    options: [],
    amountAgorot: null,
    ...box,
    x: page.side + x + 3,
    y: top + y + 1,
    w: w - 6,
    h: h - 2,
  }))
  return { pdf, fields }
}

/**
 * A sheet laid behind a paper that was made elsewhere: what it says is signed there, and no figure of it is
 * covered.
 */
export function behind(
  paper: Uint8Array,
  sheet: { pdf: Uint8Array; fields: readonly SignField[] },
): { pdf: Uint8Array; fields: SignField[] } {
  const into = new Additions(readPdf(Buffer.from(paper)))
  const before = pagesOf(into.file).length
  const guest = new Guest(sheet.pdf, into)
  appendPages(into, (parent) => guest.pages.map((_, index) => guest.page(index, parent)))
  return {
    pdf: into.written(),
    fields: sheet.fields.map((field) => ({ ...field, page: field.page + before })),
  }
}

/** The lines every approval ends with: name and day, and the hand. */
export const signingRows = (language: Language): SheetBox[][] => [
  [
    { id: 'name', kind: 'name', label: say(language, 'signing.kind.name'), merge: 'signer.name' },
    { id: 'date', kind: 'date', label: say(language, 'signing.kind.date') },
  ],
  [{ id: 'sign', kind: 'signature', label: say(language, 'signing.kind.signature') }],
]

/** A page of approval behind a paper: its name, what its signature says, name, day and hand. */
export async function approvalOf(
  ctx: Ctx,
  paper: Uint8Array,
  about: { language: Language; title: string; text: string },
): Promise<{ pdf: Uint8Array; fields: SignField[] }> {
  return behind(paper, await sheetPdf(ctx, { ...about, rows: signingRows(about.language) }))
}
