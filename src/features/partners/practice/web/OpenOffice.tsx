import { ArrowRightLeft, BriefcaseBusiness } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { myCompanies, type MyCompany } from '#features/base/companies/endpoints.ts'
import { switchTo } from '#features/base/companies/web/index.tsx'
import { openOffice } from '../endpoints.ts'
import './practice.css'

const kinds = ['company', 'partnership', 'licensedDealer', 'exemptDealer'] as const

/** The businesses that invited this accountant one by one. */
function MyClients() {
  const t = useWords()
  const { data } = useCall(myCompanies, {})
  const rows = data?.rows.filter(({ TypeID }) => TypeID === 5) ?? []
  const [busy, setBusy] = useState<string>()
  if (!rows.length) return null
  const enter = async ({ id, current }: MyCompany) => {
    if (current) return go('/invoice/main')
    setBusy(id)
    try {
      await switchTo(id, '/invoice/main')
    } catch (e) {
      setBusy(undefined)
      banner.error(failureText(t, e))
    }
  }
  return (
    <Card title={t('practice.invitedYou')}>
      <ul className="of-marks">
        {rows.map((row) => (
          <li key={row.id} className="of-row">
            <span className="grow">
              <bdi>{row.name}</bdi> · <Num>{row.taxId}</Num>
            </span>
            <Button
              icon={ArrowRightLeft}
              busy={busy === row.id}
              label={t('practice.enterOf', { name: row.name })}
              onPress={() => void enter(row)}
            >
              {t('practice.enter')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/**
 * An accountant whom single clients invited opens an office, and has all of them on one page once they agree.
 */
export function OpenOffice() {
  const t = useWords()
  const [name, setName] = useState('')
  const [taxId, setTaxId] = useState('')
  const [kind, setKind] = useState<(typeof kinds)[number]>('partnership')
  const [licence, setLicence] = useState('')
  const { busy, rest, error, run, place } = useAction(['name', 'taxId', 'kind', 'licence'], async () => {
    const { id } = await call(openOffice, { name, taxId, kind, licence })
    await switchTo(id, '/cpa/manager')
  })
  return (
    <>
      <PageHeader title={t('screens.mainCpa')} />
      <MyClients />
      <Card title={t('practice.open.title')}>
        <p className="hint">{t('practice.open.sub')}</p>
        <form ref={place} onSubmit={run} noValidate className="of-form">
          {rest && <Note tone="late">{rest}</Note>}
          <TextField
            label={t('practice.field.office')}
            value={name}
            onChange={setName}
            max={120}
            {...error('name', name)}
          />
          <TextField
            label={t('session.field.taxId')}
            value={taxId}
            onChange={setTaxId}
            ltr
            inputMode="numeric"
            max={9}
            {...error('taxId', taxId)}
          />
          <ChoiceField
            label={t('session.field.kind')}
            value={kind}
            onChange={(next) => next && setKind(next)}
            choices={kinds.map((value) => ({ value, label: t(`session.kind.${value}`) }))}
            {...error('kind', kind)}
          />
          <TextField
            label={t('practice.field.licence')}
            optional
            value={licence}
            onChange={setLicence}
            ltr
            max={20}
            {...error('licence', licence)}
          />
          <div>
            <Button kind="primary" type="submit" icon={BriefcaseBusiness} busy={busy}>
              {t('practice.open.do')}
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}
