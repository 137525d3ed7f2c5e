import { Building2, Check, ChevronsUpDown, List, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { useCall } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { matches } from '#kit/web/parts/matches.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { Popover } from '#kit/web/parts/Popover.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { myCompanies } from '../endpoints.ts'
import './companies.css'
import { useSwitch } from './useSwitch.tsx'

/** More than these are searched, not read. */
const fewCompanies = 7

/** The business's name in the frame, and behind it the person's other businesses. */
export default function CompanySwitch() {
  const t = useWords()
  const session = useSession()
  const way = useSwitch()
  if (!session) return null
  return (
    <span className="co-switch">
      <Popover
        label={t('companies.switch.label')}
        trigger={
          <Button
            kind="quiet"
            label={t('companies.switch.of', { name: session.Name })}
            busy={way.busy !== undefined}
          >
            <bdi className="cut" title={session.Name}>
              {session.Name}
            </bdi>
            <Icon of={ChevronsUpDown} size="s" className="hint" />
          </Button>
        }
      >
        {(close) => (
          <Choices
            onChoose={(to) => {
              close()
              way.go(to)
            }}
            onClose={close}
          />
        )}
      </Popover>
      {way.question}
    </span>
  )
}

function Choices({
  onChoose,
  onClose,
}: {
  onChoose: (to: { id: string; name: string }) => void
  onClose: () => void
}) {
  const t = useWords()
  const [query, setQuery] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const { data } = useCall(myCompanies, {}, { staleTime: 0 })
  const rows = data?.rows ?? []
  const shown = rows.filter(
    (row) => query.trim() === '' || matches(`${row.name} ${row.taxId} ${row.number}`, query),
  )
  const move = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const all = [...(list.current?.querySelectorAll<HTMLElement>('input, .choice') ?? [])]
    all[(all.indexOf(document.activeElement as HTMLElement) + step + all.length) % all.length]?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the arrows of the buttons inside
    <div ref={list} className="co-choices" onKeyDown={move}>
      {rows.length > fewCompanies && (
        <TextField
          hideLabel
          label={t('companies.switch.find')}
          placeholder={t('companies.switch.find')}
          value={query}
          onChange={setQuery}
          autoFocus
          onKeyDown={(event) => {
            const [only] = shown
            if (event.key === 'Enter' && shown.length === 1 && only && !only.current) onChoose(only)
          }}
        />
      )}
      {!data && <Skeleton lines={3} />}
      {shown.map((row) => (
        <button
          key={row.id}
          type="button"
          className="choice"
          aria-current={row.current ? 'true' : undefined}
          onClick={() => (row.current ? onClose() : onChoose(row))}
        >
          <span className="k-avatar" aria-hidden>
            <Icon of={row.current ? Check : Building2} />
          </span>
          <span className="grow">
            <bdi className="cut" title={row.name}>
              {row.name}
            </bdi>
            <span className="s">
              {t(`companies.kind.${row.kind}`)} <Num>{row.taxId}</Num>
            </span>
          </span>
        </button>
      ))}
      {data && shown.length === 0 && <p className="hint">{t('kit.lists.noneFit')}</p>}
      <span className="line" aria-hidden />
      <Link className="choice" href="/invoice/InvoiceCompanies" onPress={onClose}>
        <Icon of={List} />
        {t('screens.companies')}
      </Link>
      <Link className="choice" href="/invoice/InvoiceCompanies?add=1" onPress={onClose}>
        <Icon of={Plus} />
        {t('companies.add.title')}
      </Link>
    </div>
  )
}
