import { Link } from 'react-aria-components/Link'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { accountants, type Accountant } from '../accountants.ts'
import './accountant.css'

const most = 20

/**
 * With whom the business speaks about requests: names, offices and how to reach them; where there is nobody,
 * the way to invite somebody.
 */
export function Part() {
  const t = useWords()
  const may = useCan()
  const isAccountant = useSession()?.TypeID === 5
  const isSeen = may(accountants.allow.see) && !isAccountant
  const { data } = useCall(callsOf(accountants).list, { size: most }, { enabled: isSeen })
  if (!isSeen) return null
  const rows = (data?.rows as unknown as Accountant[] | undefined)?.filter(
    ({ state }) => state === 'active' || state === 'invited',
  )
  return (
    <section className="ac-with" aria-label={t('screens.cpaUser')}>
      {rows?.map((one) => (
        <p key={one.id}>
          <Link className="link aim" href={`/invoice/editcpa/${one.id}/details`}>
            <bdi>{one.name}</bdi>
          </Link>
          {one.office && <bdi className="hint">{one.office}</bdi>}
          <a className="link aim n" href={`mailto:${one.email}`} dir="ltr">
            {one.email}
          </a>
          {one.phone && (
            <a className="link aim n" href={`tel:${one.phone}`} dir="ltr">
              {one.phone}
            </a>
          )}
          {one.state === 'invited' && <span className="hint">{t('accountants.state.invited')}</span>}
        </p>
      ))}
      {rows?.length === 0 && (
        <p>
          <span>{t('accountants.empty.title')}</span>
          {may(accountants.allow.change) && (
            <Button size="s" kind="soft" href={accountants.screens.form}>
              {t('accountants.new')}
            </Button>
          )}
        </p>
      )}
      <Link className="link aim" href={accountants.screens.list}>
        {t('screens.cpaUser')}
      </Link>
    </section>
  )
}
