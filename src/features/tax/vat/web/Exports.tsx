import { Ship } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { askAhead, useCall, useSend } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { mayDo, session, useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { exportOfDocument, setExportEntry, vatPeriodFacts } from '../endpoints.ts'
import './vat.css'

type Facts = OutputOf<typeof vatPeriodFacts>
interface Asked {
  id: string
  number: string
  exportEntry: string
}

/** The exports of a period, each with the declaration that stands for it in the file. */
export function Exports({ data }: { data: Facts }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const [asked, setAsked] = useState<Asked>()
  if (!data.exports.length) return null
  const change = may('vat.file') && data.filing?.kind !== 'detailed'
  return (
    <Card title={t('vat.export.title')}>
      <p className="hint">{t('vat.export.text')}</p>
      <ul className="vt-list vt-exports">
        {data.exports.map((one) => (
          <li key={one.id}>
            <span>
              <Link className="link" href={`/invoice/preview/${one.id}`}>
                <Num>{one.number}</Num> <bdi>{one.name}</bdi>
              </Link>
            </span>
            {!hides && <Money amount={one.sumAgorot ?? 0} />}
            <span>
              {one.exportEntry ? (
                <Num>{one.exportEntry}</Num>
              ) : (
                <span className="hint">{t('vat.export.none')}</span>
              )}
            </span>
            {change && (
              <Button
                size="s"
                kind="quiet"
                label={`${t(one.exportEntry ? 'vat.export.change' : 'vat.export.add')}: ${t('vat.export.of', { number: one.number })}`}
                onPress={() => setAsked(one)}
              >
                {t(one.exportEntry ? 'vat.export.change' : 'vat.export.add')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && <Ask of={asked} onClose={() => setAsked(undefined)} />}
    </Card>
  )
}

export async function ahead(id: string): Promise<void> {
  if (mayDo(session(), 'vat.see') || mayDo(session(), 'vat.file')) await askAhead(exportOfDocument, { id })
}

/** On the page of a document that is an export. */
export function Part({ of: id }: PlacedProps) {
  const may = useCan()
  return may('vat.see') || may('vat.file') ? <OfDocument id={id} /> : null
}

function OfDocument({ id }: { id: string }) {
  const t = useWords()
  const may = useCan()
  const [asking, setAsking] = useState(false)
  const { data } = useCall(exportOfDocument, { id })
  if (!data?.isExport) return null
  return (
    <Note
      icon={Ship}
      action={
        may('vat.file') && !data.isFiled ? (
          <Button size="s" kind="quiet" onPress={() => setAsking(true)}>
            {t(data.exportEntry ? 'vat.export.change' : 'vat.export.add')}
          </Button>
        ) : undefined
      }
    >
      {t('vat.export.number')}: {data.exportEntry ? <Num>{data.exportEntry}</Num> : t('vat.export.none')}
      {asking && <Ask of={{ id, ...data }} onClose={() => setAsking(false)} />}
    </Note>
  )
}

function Ask({ of, onClose }: { of: Asked; onClose: () => void }) {
  const t = useWords()
  const [exportEntry, setNumber] = useState(of.exportEntry)
  const send = useSend(setExportEntry, {
    refresh: [vatPeriodFacts, exportOfDocument],
    onSuccess: () => {
      onClose()
      banner.success(t('vat.export.saved'))
    },
  })
  return (
    <FormDialog
      title={t('vat.export.of', { number: of.number })}
      verb={t('vat.save')}
      names={['exportEntry']}
      onClose={onClose}
      onSubmit={() => send.mutateAsync({ id: of.id, exportEntry: exportEntry.trim() })}
    >
      {(refusal) => (
        <TextField
          ltr
          autoFocus
          inputMode="numeric"
          label={t('vat.export.number')}
          hint={t('vat.export.hint')}
          value={exportEntry}
          onChange={setNumber}
          max={14}
          {...refusal('exportEntry', exportEntry)}
        />
      )}
    </FormDialog>
  )
}
