import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay } from '#domain/format.ts'
import { factNamed, type Question } from '#domain/questions/model.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useLanguage, useWords, type Words } from '#kit/web/words/words.tsx'
import { linesOfCell, type Answer, type CellLine } from '../endpoints.ts'
import { figureText, keyWords } from './shown.ts'

/**
 * Which figure was opened: the keys of its row (fewer for a sum), of its column, or all that are not among
 * the first.
 */
export interface OpenCell {
  rows: string[]
  column: string | null
  others?: true
}

interface LinesProps {
  question: Question
  cell: OpenCell
  answer: Answer | undefined
  onClose: () => void
}

/** What the figure is of, in words. */
function titleOf(t: Words, question: Question, cell: OpenCell, answer: Answer | undefined): string {
  const row = answer?.rows.find(({ keys }) => cell.rows.every((key, n) => keys[n] === key))
  const said = cell.others
    ? [t('questions.others')]
    : cell.rows.map((key, n) => keyWords(t, question.rows[n]!, key, row?.names[n] ?? null))
  const column = answer?.columns.find(({ key }) => key === cell.column)
  if (cell.column !== null && question.column)
    said.push(keyWords(t, question.column, cell.column, column?.name ?? null))
  return said.join(' · ') || t('questions.all')
}

/** The records a figure is made of; each leads to its paper, and back leads here. */
export function CellLines({ question, cell, answer, onClose }: LinesProps) {
  const t = useWords()
  const { lang } = useLanguage()
  const asked = { question, rows: cell.rows, column: cell.column, ...(cell.others ? { others: true } : {}) }
  const { data, error, refetch } = useCall(linesOfCell, asked)
  const [more, setMore] = useState<{ rows: CellLine[]; more: boolean }>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const rows = [...(data?.rows ?? []), ...(more?.rows ?? [])]
  const next = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const page = await call(linesOfCell, { ...asked, after: rows.length })
      setMore({ rows: [...(more?.rows ?? []), ...page.rows], more: page.more })
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setBusy(false)
  }
  const measure = question.measures.find(({ name }) => {
    const { how, kind } = factNamed(question.fact).measures[name]!
    return ['sum', 'average', 'most'].includes(how) && kind !== 'number'
  })
  return (
    <SideSheet isOpen onClose={onClose} title={<bdi>{titleOf(t, question, cell, answer)}</bdi>}>
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : (
        <div className="grid gap-3">
          <ul className="k-rows q-lines">
            {rows.map((line) => (
              <li key={line.id}>
                <Link href={line.open} className="d-hub-link">
                  <span className="t">
                    <bdi>{line.who || line.what || t('questions.none')}</bdi>
                    {line.figure !== null && measure && (
                      <Num className="f">
                        {figureText(line.figure, question.fact, { ...measure, as: 'value' }, lang)}
                      </Num>
                    )}
                  </span>
                  <span className="s">
                    {line.day && <Num>{formatDay(line.day)}</Num>}
                    {line.type && <span>{t(`documents.types.${line.type}`)}</span>}
                    {line.number && <Num>{line.number}</Num>}
                    {line.who && line.what && <bdi>{line.what}</bdi>}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {problem && <Note tone="late">{problem}</Note>}
          {(more ? more.more : data.more) && (
            <Button busy={busy} onPress={() => void next()}>
              {t('kit.pager.more')}
            </Button>
          )}
        </div>
      )}
    </SideSheet>
  )
}
