import { Download } from 'lucide-react'
import { useState } from 'react'
import { failureText, useSend } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { formatNumber } from '#domain/format.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { importFaults, runImport, type Outcome } from '../endpoints.ts'
import type { Whole } from './whole.ts'
import { RowsOf } from './RowsOf.tsx'

const kinds: readonly Outcome[] = ['create', 'change', 'same', 'skip', 'faulty']

/** How many rows came to what. */
export function Counts({ one }: { one: Whole }) {
  const t = useWords()
  return (
    <Figures label={t('imports.counts')}>
      {kinds
        .filter((kind) => kind !== 'skip' || one.counts.skip)
        .map((kind) => (
          <Figure
            key={kind}
            label={t(`imports.outcome.${kind}`)}
            value={<Num>{formatNumber(one.counts[kind] ?? 0)}</Num>}
          />
        ))}
    </Figures>
  )
}

/** The third step: what would happen, every fault by its row and column; then it happens, or not. */
export function Judged({
  one,
  onChange,
  onColumns,
}: {
  one: Whole
  onChange: (next: Whole) => void
  onColumns: () => void
}) {
  const t = useWords()
  const [refused, setRefused] = useState<unknown>()
  const run = useSend(runImport, { onSuccess: onChange, onError: setRefused })
  const { create = 0, change = 0, faulty = 0 } = one.counts
  const good = create + change
  return (
    <>
      <Counts one={one} />
      {good === 0 && (
        <Note tone={faulty ? 'wait' : 'done'}>{t(faulty ? 'imports.noneGood' : 'imports.nothingNew')}</Note>
      )}
      <Results one={one} />
      {refused !== undefined && <Note tone="late">{failureText(t, refused)}</Note>}
      <div className="im-acts">
        {good > 0 && (
          <Button
            kind="primary"
            busy={run.isPending}
            onPress={() => run.mutate({ id: one.id, take: faulty > 0 ? 'good' : 'all' })}
          >
            {t(faulty > 0 ? 'imports.runGood' : 'imports.runAll', { count: good })}
          </Button>
        )}
        <Button kind={good > 0 ? 'plain' : 'primary'} onPress={onColumns}>
          {t('imports.toColumns')}
        </Button>
        <Button kind="quiet" href={`/invoice/tools/import/${one.resource}`}>
          {t('imports.another')}
        </Button>
        <span className="hint">{t(faulty > 0 ? 'imports.goodHint' : 'imports.allHint')}</span>
      </div>
    </>
  )
}

/** The rows behind the counts; the faulty ones first. */
export function Results({ one }: { one: Whole }) {
  const t = useWords()
  const fetchFile = useFile()
  const shown = [
    ...(['faulty', 'create', 'change'] as const).filter((kind) => one.counts[kind]),
    ...(one.counts.refused ? (['refused'] as const) : []),
  ]
  const [chosen, setChosen] = useState<(typeof shown)[number]>()
  const first = one.counts.refused ? 'refused' : shown[0]
  const kind = chosen && shown.includes(chosen) ? chosen : first
  if (!kind) return null
  return (
    <Card
      flush
      label={t('imports.rows')}
      title={
        <Views
          label={t('imports.rows')}
          views={shown.map((key) => ({
            key,
            label: t(`imports.outcome.${key}`),
            count: one.counts[key] ?? 0,
            ...(key === 'faulty' ? { tone: 'wait' as const } : {}),
          }))}
          value={kind}
          onChange={setChosen}
        />
      }
      end={
        kind === 'faulty' && (
          <Button
            kind="quiet"
            size="s"
            icon={Download}
            onPress={() => void fetchFile(importFaults, { id: one.id })}
          >
            {t('imports.downloadFaults')}
          </Button>
        )
      }
    >
      <RowsOf key={kind} one={one} outcome={kind} />
    </Card>
  )
}
