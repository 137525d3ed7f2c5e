/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose figures are gone through by arrows is a grid */
import { useRef, useState } from 'react'
import { dimensionNamed, factNamed, isAdditive, type Question } from '#domain/questions/model.ts'
import type { Figures, PivotRow } from '#domain/questions/table.ts'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import type { Answer } from '../endpoints.ts'
import type { OpenCell } from './CellLines.tsx'
import { figureText, keyWords, measureWords } from './shown.ts'

interface TableProps {
  question: Question
  answer: Answer
  onOpen: (cell: OpenCell) => void
}

interface Line {
  row: Pick<PivotRow, 'keys' | 'names' | 'others'>
  cells: readonly (Figures | null)[]
  total: Figures
  kind: 'row' | 'part' | 'all'
  opens: OpenCell['rows']
}

/** Rows with the sum of each outer row behind its inner ones, and all of them at the end. */
function linesOf(question: Question, answer: Answer): Line[] {
  const depth = question.rows.length
  const lines: Line[] = []
  const partOf = (keys: readonly string[]) =>
    answer.parts.find(
      (part) => part.keys.length === keys.length && part.keys.every((key, n) => key === keys[n]),
    )
  answer.rows.forEach((row, n) => {
    lines.push({ row, cells: row.cells, total: row.total, kind: 'row', opens: row.keys })
    const next = answer.rows[n + 1]
    for (let level = depth - 1; level >= 1; level--) {
      if (
        row.others ||
        (next && !next.others && next.keys.slice(0, level).every((key, at) => key === row.keys[at]))
      )
        continue
      const part = partOf(row.keys.slice(0, level))
      // A sum of one line says that line again.
      const of = answer.rows.filter(
        (one) => !one.others && one.keys.slice(0, level).every((key, at) => key === row.keys[at]),
      )
      if (part && of.length > 1)
        lines.push({ row: part, cells: part.cells, total: part.total, kind: 'part', opens: part.keys })
    }
  })
  lines.push({
    row: { keys: [], names: [] },
    cells: answer.totals.cells,
    total: answer.totals.total,
    kind: 'all',
    opens: [],
  })
  return lines
}

/**
 * The answer as a grid: arrows go from figure to figure, Enter opens what a figure is made of. Heads and
 * names stay in sight.
 */
export function PivotTable({ question, answer, onOpen }: TableProps) {
  const t = useWords()
  const { lang, dir } = useLanguage()
  // A phone has room for one column of names: the outer ones stand small over the inner one.
  const isNarrow = usePhone() && question.rows.length > 1
  const table = useRef<HTMLTableElement>(null)
  const [at, setAt] = useState<[row: number, cell: number]>([0, 0])
  const depth = isNarrow ? 1 : Math.max(1, question.rows.length)
  const heads = isNarrow ? question.rows.slice(-1) : question.rows
  const many = question.measures.length
  const lines = linesOf(question, answer)
  // A share of nothing and a sum of averages are not told; a total beside a single column would repeat it.
  const sets: (number | 'all')[] = [
    ...answer.columns.map((_, n) => n),
    ...(answer.columns.length === 1 ? [] : ['all' as const]),
  ]
  const hasBands = question.column !== null && many > 1
  const columnWords = (set: number | 'all') =>
    set === 'all'
      ? t('questions.all')
      : keyWords(t, question.column!, answer.columns[set]!.key, answer.columns[set]!.name)
  const width = sets.length * many
  const cellOf = (row: number, cell: number) =>
    table.current?.querySelector<HTMLElement>(`[data-at="${row}.${cell}"]`)
  const go = (row: number, cell: number) => {
    const to: [number, number] = [
      Math.min(lines.length - 1, Math.max(0, row)),
      Math.min(width - 1, Math.max(0, cell)),
    ]
    setAt(to)
    cellOf(...to)?.focus()
  }
  const open = (line: Line, set: number | 'all') =>
    onOpen({
      rows: line.row.others ? [] : line.opens,
      column: set === 'all' ? null : answer.columns[set]!.key,
      ...(line.row.others ? { others: true } : {}),
    })
  const onKeyDown = (event: React.KeyboardEvent, row: number, cell: number, act: () => void) => {
    const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const to: Record<string, [number, number]> = {
      ArrowDown: [row + 1, cell],
      ArrowUp: [row - 1, cell],
      [forward]: [row, cell + 1],
      [back]: [row, cell - 1],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? lines.length - 1 : row, width - 1],
      PageDown: [row + 10, cell],
      PageUp: [row - 10, cell],
    }
    if (event.key === 'Enter' || event.key === ' ') act()
    else if (to[event.key]) go(...to[event.key]!)
    else return
    event.preventDefault()
  }
  return (
    <div className="q-scroll" role="region" aria-label={t('questions.answer')} tabIndex={-1}>
      <table
        ref={table}
        className="q-pivot"
        role="grid"
        aria-rowcount={lines.length + (hasBands ? 2 : 1)}
        aria-label={t('questions.answer')}
      >
        <thead>
          {hasBands && (
            <tr>
              {heads.map((name) => (
                <th key={name} scope="col" rowSpan={2} className="q-name">
                  {t(`questions.dimensions.${name}`)}
                </th>
              ))}
              {question.rows.length === 0 && <td rowSpan={2} className="q-name" />}
              {sets.map((set) => (
                <th key={set} scope="colgroup" colSpan={many} className="q-band">
                  <bdi>{columnWords(set)}</bdi>
                </th>
              ))}
            </tr>
          )}
          <tr>
            {!hasBands &&
              heads.map((name) => (
                <th key={name} scope="col" className="q-name">
                  {t(`questions.dimensions.${name}`)}
                </th>
              ))}
            {!hasBands && question.rows.length === 0 && <td className="q-name" />}
            {sets.flatMap((set) =>
              question.measures.map((measure, n) => (
                <th
                  key={`${set} ${n}`}
                  scope="col"
                  className="amount"
                  data-all={set === 'all' && question.column ? '' : undefined}
                >
                  <bdi>
                    {hasBands || !question.column
                      ? measureWords(t, question.fact, measure)
                      : columnWords(set)}
                  </bdi>
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, r) => {
            const before = lines[r - 1]
            return (
              <tr key={r} data-kind={line.kind}>
                {line.kind === 'row' && !line.row.others && question.rows.length > 0 ? (
                  heads.map((name, i) => {
                    const n = question.rows.length - heads.length + i
                    const same = (level: number) =>
                      before?.kind === 'row' &&
                      !before.row.others &&
                      line.row.keys.slice(0, level + 1).every((key, at) => key === before.row.keys[at])
                    const said = (level: number) =>
                      keyWords(t, question.rows[level]!, line.row.keys[level]!, line.row.names[level] ?? null)
                    const outer =
                      isNarrow && !same(n - 1) ? question.rows.slice(0, n).map((_, level) => said(level)) : []
                    const repeats = n < question.rows.length - 1 && same(n)
                    return (
                      <th
                        key={name}
                        scope="row"
                        className="q-name"
                        data-repeats={repeats ? '' : undefined}
                        title={[...outer, said(n)].join(' · ')}
                      >
                        {outer.length > 0 && <small>{outer.join(' · ')}</small>}
                        {dimensionNamed(name).kind === 'time' ? (
                          <span>
                            <Num>{said(n)}</Num>
                          </span>
                        ) : (
                          <span dir="auto">{said(n)}</span>
                        )}
                      </th>
                    )
                  })
                ) : (
                  <th scope="row" className="q-name" colSpan={depth}>
                    <span>
                      {line.kind === 'all'
                        ? t('questions.all')
                        : line.row.others
                          ? t('questions.others')
                          : t('questions.sumOf', {
                              name: keyWords(
                                t,
                                question.rows[line.row.keys.length - 1]!,
                                line.row.keys.at(-1)!,
                                line.row.names.at(-1) ?? null,
                              ),
                            })}
                    </span>
                  </th>
                )}
                {sets.flatMap((set, s) =>
                  question.measures.map((measure, n) => {
                    const figures = set === 'all' ? line.total : line.cells[set]
                    const value = figures?.[n] ?? null
                    const c = s * many + n
                    const isHere = at[0] === r && at[1] === c
                    const isNegative = value !== null && value < 0
                    const mayOpen =
                      value !== null &&
                      (figures?.some((one) => one !== null) ?? false) &&
                      (measure.as !== 'running' ||
                        isAdditive(factNamed(question.fact).measures[measure.name]!))
                    const act = () => mayOpen && open(line, set)
                    return (
                      <td
                        key={c}
                        className="amount"
                        data-at={`${r}.${c}`}
                        data-all={set === 'all' && question.column ? '' : undefined}
                        data-negative={isNegative ? '' : undefined}
                        data-opens={mayOpen ? '' : undefined}
                        tabIndex={isHere ? 0 : -1}
                        onFocus={() => setAt([r, c])}
                        onClick={act}
                        onKeyDown={(event) => onKeyDown(event, r, c, act)}
                      >
                        <Num>{figureText(value, question.fact, measure, lang)}</Num>
                      </td>
                    )
                  }),
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
