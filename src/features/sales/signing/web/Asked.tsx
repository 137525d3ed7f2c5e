import { FileDown, Send } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { formatMoment } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { requestPdf, signAbout } from '../endpoints.ts'
import { RequestState } from './dress.tsx'
import './signing.css'

const going = ['sent', 'inProgress', 'sealing']

export interface AskedProps {
  /** The thing that is signed for. */
  about: string
  /** Purposes its papers are sent for, parted by commas. */
  purposes: string
  title?: string
  /** Inside an existing card. */
  bare?: boolean
  /** Opens the question; absent where nothing more can be asked. */
  onAsk?: (() => void) | undefined
}

/**
 * Which papers were sent to be signed for a thing, what became of them, and the signed files. Nothing for who
 * may not see them.
 */
export function Asked({ about, purposes, title, bare, onAsk }: AskedProps) {
  const t = useWords()
  const may = useCan()
  const sees = may('signing.see')
  const { data } = useCall(
    signAbout,
    { about, purposes },
    {
      enabled: sees && about !== '',
      refetchInterval: ({ state }) =>
        state.data?.rows.some((one) => going.includes(one.state)) ? 5000 : false,
    },
  )
  if (!sees) return null
  const rows = data?.rows ?? []
  const asks = onAsk && may('signing.send')
  if (!rows.length && !asks) return null
  const button = asks && (
    <Button kind="quiet" size="s" icon={Send} m onPress={onAsk}>
      {t(rows.length ? 'signing.ask.again' : 'signing.ask.verb')}
    </Button>
  )
  const list = (
    <Rows>
      {rows.map((one) => (
        <div key={one.id}>
          <span className="grow">
            <Link className="t aim" href={`/invoice/signrequest/${one.id}`}>
              <bdi>{one.name}</bdi>
            </Link>
            <span className="s">
              <bdi>{one.signers}</bdi> · <Num>{formatMoment(new Date(one.endedAt ?? one.sentAt))}</Num>
            </span>
          </span>
          <RequestState value={one.state} />
          {one.hasFile && (
            <FileButton endpoint={requestPdf} input={{ id: one.id }} icon={FileDown} kind="quiet" size="s">
              {t('signing.ask.file')}
            </FileButton>
          )}
        </div>
      ))}
    </Rows>
  )
  if (bare)
    return (
      <div className="sg-stack">
        {rows.length > 0 && list}
        {button && <span>{button}</span>}
      </div>
    )
  return (
    <Card title={title ?? t('signing.ask.head')} end={button}>
      {rows.length === 0 ? <p className="hint">{t('signing.ask.none')}</p> : list}
    </Card>
  )
}
