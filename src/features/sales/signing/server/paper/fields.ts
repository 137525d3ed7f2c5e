import path from 'node:path'
import { isolateRuns } from '#domain/bidi.ts'
import { formatDay } from '#domain/format.ts'
import { renderPdf } from '#kit/server/paper/engine.ts'
import { checkoutRoot } from '#kit/server/root.ts'
import { accentOf } from '#kit/server/paper/accent.ts'
import type { Language } from '#kit/server/context.ts'
import type { Filled, SignField } from '../../shapes.ts'

export const folder = path.join(checkoutRoot, 'src/features/sales/signing/server/paper')

export interface SetField {
  readonly field: Pick<SignField, 'id' | 'kind' | 'w' | 'h'>
  readonly value: Filled
}

const rightToLeft = /\p{Script=Hebrew}|\p{Script=Arabic}/u
const letter = /\p{L}/u

/**
 * As the first letter says; figures and addresses are read from left to right, and stand on the side of the
 * paper's language.
 */
export const directionOf = (text: string, language: Language): 'rtl' | 'ltr' => {
  const first = [...text].find((one) => letter.test(one))
  if (first !== undefined) return rightToLeft.test(first) ? 'rtl' : 'ltr'
  return language === 'he' || language === 'ar' ? 'rtl' : 'ltr'
}

const lineOf = (text: string, language: Language) => {
  const dir = directionOf(text, language)
  return { text: isolateRuns(text, dir), dir }
}

/** Fields as pages of their own size, in their order. What was not filled in gives an empty page. */
export async function fieldsPdf(fields: readonly SetField[], language: Language): Promise<Uint8Array> {
  const images: Record<string, Uint8Array> = {}
  const set = fields.map(({ field: { id, kind, w, h }, value }) => {
    const size = { w, h, dir: 'ltr', align: '' }
    if (typeof value === 'boolean') return { ...size, kind: value ? 'tick' : 'none' }
    if (typeof value === 'string') {
      if (value === '') return { ...size, kind: 'none' }
      const text = kind === 'date' ? formatDay(value) : value
      const isLong = kind === 'text' && (h >= 30 || text.includes('\n'))
      return {
        ...size,
        ...lineOf(text, language),
        kind: isLong ? 'lines' : 'line',
        align: kind === 'initials' ? 'center' : '',
      }
    }
    if ('typed' in value) return { ...size, ...lineOf(value.typed, language), kind: 'typed', align: 'center' }
    if ('picture' in value) {
      images[id] = Buffer.from(value.picture, 'base64')
      return { ...size, kind: 'picture', image: id }
    }
    return { ...size, kind: 'strokes', strokes: value.strokes, width: value.width, height: value.height }
  })
  return renderPdf({
    template: path.join(folder, 'sign-fields.typ'),
    data: { language, direction: 'ltr', accent: accentOf(undefined), fields: set },
    images,
    standard: '1.7',
    tagged: false,
  })
}
