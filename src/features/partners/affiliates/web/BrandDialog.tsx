import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { ColorField } from '#kit/web/fields/ColorField.tsx'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { FileField } from '#kit/web/fields/FileField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { StandingPill, type Standings } from './Standing.tsx'
import {
  dropBrandLogo,
  listAffiliates,
  maxLogoBytes,
  proveBrand,
  saveBrand,
  setBrandLogo,
} from '../endpoints.ts'

type List = OutputOf<typeof listAffiliates>
export type Brand = List['brands'][number]

/**
 * The brand of a partner's domain: what people see, who writes to them, what it costs them, and whose it is.
 */
export function BrandDialog({
  of,
  dealers,
  pages,
  onClose,
}: {
  of: Brand | undefined
  dealers: List['rows']
  pages: List['pages']
  onClose: () => void
}) {
  const t = useWords()
  const [v, setV] = useState({
    domain: of?.domain ?? '',
    name: of?.name ?? '',
    accent: of?.accent ?? '',
    mailName: of?.mailName ?? '',
    mailFrom: of?.mailFrom ?? '',
    supportEmail: of?.supportEmail ?? '',
    dealerId: of?.dealerId ?? null,
    pageIds: of?.pageIds ?? [],
  })
  const [file, setFile] = useState<File | null>(null)
  const [drops, setDrops] = useState(false)
  const put = (change: Partial<typeof v>) => setV((before) => ({ ...before, ...change }))
  return (
    <FormDialog
      title={of?.name ?? t('affiliates.brand.add')}
      verb={t('kit.forms.save')}
      names={['domain', 'name', 'accent', 'bytes', 'mailName', 'mailFrom', 'supportEmail', 'dealerId']}
      onClose={onClose}
      onSubmit={async () => {
        const { domain } = v
        await call(saveBrand, v)
        if (file)
          await call(setBrandLogo, {
            domain: domain.trim().toLowerCase(),
            bytes: new Uint8Array(await file.arrayBuffer()),
          })
        else if (drops) await call(dropBrandLogo, { domain })
        await queryClient.invalidateQueries({ queryKey: keyOf(listAffiliates) })
        onClose()
      }}
    >
      {(error) => (
        <>
          {of ? (
            <p>
              <span className="hint">{t('affiliates.brand.domain')}</span>
              <bdi dir="ltr" className="af-record">
                {of.domain}
              </bdi>
            </p>
          ) : (
            <TextField
              label={t('affiliates.brand.domain')}
              hint={t('affiliates.brand.domainHint')}
              ltr
              value={v.domain}
              onChange={(domain) => put({ domain })}
              max={253}
              {...error('domain', v.domain)}
            />
          )}
          <TextField
            label={t('affiliates.brand.name')}
            value={v.name}
            onChange={(name) => put({ name })}
            max={60}
            {...error('name', v.name)}
          />
          <ColorField
            label={t('affiliates.brand.accent')}
            value={v.accent}
            onChange={(accent) => put({ accent })}
            {...error('accent', v.accent)}
          />
          <FileField
            label={t('affiliates.brand.logo')}
            hint={t('affiliates.brand.logoHint')}
            optional
            value={file}
            onChange={setFile}
            accept="image/png,image/jpeg"
            limit={maxLogoBytes}
            {...error('bytes', file)}
          />
          {of?.logo && !file && (
            <div className="af-row">
              <img className="af-logo" src={of.logo} alt={of.name} />
              <FlagField label={t('affiliates.brand.dropLogo')} value={drops} onChange={setDrops} />
            </div>
          )}
          <ChoiceField
            label={t('affiliates.brand.dealer')}
            as="list"
            clearable
            optional
            value={v.dealerId}
            onChange={(dealerId) => put({ dealerId })}
            choices={dealers.map(({ id, name }) => ({ value: id, label: name }))}
            {...error('dealerId', v.dealerId)}
          />
          <TextField
            label={t('affiliates.brand.mailName')}
            optional
            value={v.mailName}
            onChange={(mailName) => put({ mailName })}
            max={120}
            {...error('mailName', v.mailName)}
          />
          <EmailField
            label={t('affiliates.brand.mailFrom')}
            hint={t('affiliates.brand.mailFromHint')}
            optional
            value={v.mailFrom}
            onChange={(mailFrom) => put({ mailFrom })}
            {...error('mailFrom', v.mailFrom)}
          />
          <EmailField
            label={t('affiliates.brand.support')}
            optional
            value={v.supportEmail}
            onChange={(supportEmail) => put({ supportEmail })}
            {...error('supportEmail', v.supportEmail)}
          />
          {of && <Proofs of={of} />}
          {pages.length > 0 && <p>{t('affiliates.brand.prices')}</p>}
          {pages.map(({ id, title }) => (
            <FlagField
              key={id}
              label={<bdi>{title}</bdi>}
              value={v.pageIds.includes(id)}
              onChange={(on) =>
                put({ pageIds: on ? [...v.pageIds, id] : v.pageIds.filter((one) => one !== id) })
              }
            />
          ))}
        </>
      )}
    </FormDialog>
  )
}

/**
 * Whether links may lead to the domain and letters may leave from the sender, what is missing for it, and the
 * way to ask again.
 */
function Proofs({ of }: { of: Brand }) {
  const t = useWords()
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<Standings>(of)
  const ask = async () => {
    setBusy(true)
    try {
      const { site, mail } = await call(proveBrand, { domain: of.domain })
      setFound({
        siteState: site ? 'proved' : 'none',
        siteDay: null,
        mailState: mail ? 'proved' : 'none',
        mailDay: null,
      })
      await queryClient.invalidateQueries({ queryKey: keyOf(listAffiliates) })
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <section className="af-stack" aria-label={t('affiliates.brand.proofs')}>
      <div className="af-row">
        <span className="grow">{t('affiliates.brand.siteProof')}</span>
        <StandingPill state={found.siteState} day={found.siteDay} />
      </div>
      {found.siteState !== 'proved' && (
        <p className="hint">{t('affiliates.brand.siteProofHint', { domain: of.domain })}</p>
      )}
      {of.mailFrom && (
        <>
          <div className="af-row">
            <span className="grow">{t('affiliates.brand.mailProof')}</span>
            <StandingPill state={found.mailState} day={found.mailDay} />
          </div>
          {found.mailState !== 'proved' && (
            <p className="hint">
              {t('affiliates.brand.mailProofHint', {
                domain: of.mailFrom.slice(of.mailFrom.lastIndexOf('@') + 1),
              })}{' '}
              <bdi dir="ltr" className="af-record">
                {of.mailRecord}
              </bdi>
            </p>
          )}
        </>
      )}
      {of.askedAt && (
        <p className="hint">{t('affiliates.brand.askedAt', { at: formatMoment(new Date(of.askedAt)) })}</p>
      )}
      <div>
        <Button size="s" busy={busy} onPress={() => void ask()}>
          {t('affiliates.brand.prove')}
        </Button>
      </div>
    </section>
  )
}
