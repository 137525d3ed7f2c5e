import type { Record6111 } from './build.ts'
import {
  CODE_LENGTH,
  FILE_END,
  headFields,
  PAIRS,
  partFields,
  RECORD_END,
  RECORD_LENGTH,
  SUM_LENGTH,
  type Head,
} from './layout.ts'

export interface Read6111 {
  records: Record6111[]
  /** What a file of this layout does not look like, by the number of the record. */
  problems: { record: number; what: 'length' | 'sum' | 'rows' | 'end' }[]
}

/** Reads a file of form 6111 by the layout it is written by. */
export function parse6111(text: string): Read6111 {
  const problems: Read6111['problems'] = []
  if (!text.endsWith(RECORD_END + FILE_END)) problems.push({ record: 0, what: 'end' })
  const records = text
    .replace(FILE_END, '')
    .split(RECORD_END)
    .filter((line) => line !== '')
    .map((line, i): Record6111 => {
      const wrong = (what: Read6111['problems'][number]['what']) =>
        void problems.push({ record: i + 1, what })
      if (line.length !== RECORD_LENGTH) wrong('length')
      let at = 0
      const take = (length: number) => line.slice(at, (at += length))
      const head = Object.fromEntries(
        headFields.map(({ name, length, kind }) => [
          name,
          kind === 'text' ? take(length).trimStart() : take(length),
        ]),
      ) as Head
      const lines = {} as Record<(typeof partFields)[number], { code: number; shekels: number }[]>
      for (const part of partFields) {
        lines[part] = []
        for (let pair = 0; pair < PAIRS; pair++) {
          const code = Number(take(CODE_LENGTH))
          const sum = take(SUM_LENGTH)
          if (!/^(-\d{12}|\d{13})$/.test(sum)) wrong('sum')
          if (code) lines[part].push({ code, shekels: Number(sum) })
        }
        if (lines[part].length !== Number(head[`${part}Rows`])) wrong('rows')
      }
      return { head, lines }
    })
  return { records, problems }
}
