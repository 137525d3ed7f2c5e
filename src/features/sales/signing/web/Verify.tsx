import { ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { formatMoment } from '#domain/format.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { verifyFile } from '../endpoints.ts'
import './signing.css'

type Found = OutputOf<typeof verifyFile>

const icons = { holds: ShieldCheck, changed: ShieldX, unsealed: ShieldAlert, broken: ShieldX }

/** Anybody drops a PDF and sees which of its signatures are valid; nothing is stored. */
export function Screen() {
  const t = useWords()
  useTitle(t('screens.signVerify'))
  const [file, setFile] = useState<File>()
  const [found, setFound] = useState<Found>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const look = async (one: File) => {
    setFile(one)
    setFound(undefined)
    setFailure(undefined)
    setBusy(true)
    try {
      setFound(await call(verifyFile, { bytes: one }))
    } catch (e) {
      setFailure(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="sg-verify sg-stack">
      <Lead label={t('screens.signVerify')} title={t('signing.verify.title')}>
        <p className="sub">{t('signing.verify.text')}</p>
        <div className="w-full">
          <FileDrop
            accept="application/pdf,.pdf"
            limit={40 * 1024 * 1024}
            label={t('signing.verify.choose')}
            onFiles={([one]) => one && void look(one)}
            {...(failure ? { refused: failure } : {})}
          >
            {file ? <bdi>{file.name}</bdi> : t('signing.verify.choose')}
          </FileDrop>
        </div>
      </Lead>
      <div role="status" aria-live="polite" className="sg-stack">
        {busy && <p className="hint">{t('signing.verify.looking')}</p>}
        {found && <Verdict of={found} />}
      </div>
    </div>
  )
}

function Verdict({ of }: { of: Found }) {
  const t = useWords()
  return (
    <>
      <Note
        tone={of.verdict === 'holds' ? 'done' : of.verdict === 'unsealed' ? 'wait' : 'late'}
        icon={icons[of.verdict]}
      >
        <b>{t(`signing.verify.verdict.${of.verdict}`)}</b>
        {of.changedPages.length > 0 && (
          <> {t('signing.verify.pages', { pages: of.changedPages.join(', ') })}</>
        )}
        {of.changedElse && <> {t('signing.verify.else')}</>}
        {of.verdict === 'holds' && of.isKnown && <> {t('signing.verify.known')}</>}
      </Note>
      {of.seals.length > 0 && (
        <Card title={t('signing.verify.seals')}>
          <Rows>
            {of.seals.map((seal, at) => (
              <div key={at}>
                <span className="k-tile">
                  <Icon of={seal.isValid && seal.after !== 'changed' ? ShieldCheck : ShieldX} />
                </span>
                <span className="grow">
                  <span className="t">
                    <bdi>{seal.name || t('signing.verify.noName')}</bdi>
                  </span>
                  <span className="s">
                    {seal.at && <Num>{formatMoment(new Date(seal.at))}</Num>}
                    {seal.stampedAt && (
                      <>
                        {' · '}
                        {t('signing.verify.stamped')} <Num>{formatMoment(new Date(seal.stampedAt))}</Num>
                      </>
                    )}
                    {' · '}
                    {seal.isSelfMade
                      ? t('signing.verify.selfMade')
                      : t('signing.verify.issuer', { issuer: seal.issuer })}
                    {' · '}
                    {t(`signing.verify.after.${seal.after}`)}
                  </span>
                </span>
                <StatusPill tone={seal.isValid && seal.after !== 'changed' ? 'done' : 'late'}>
                  {t(
                    seal.isValid && seal.after !== 'changed'
                      ? 'signing.verify.valid'
                      : 'signing.verify.invalid',
                  )}
                </StatusPill>
              </div>
            ))}
          </Rows>
        </Card>
      )}
      {of.evidence && (
        <Card title={t('signing.verify.evidence')}>
          <Rows>
            <div>
              <span className="grow">
                <span className="t">
                  <bdi>{of.evidence.paper}</bdi>
                </span>
                <span className="s">
                  <bdi>{of.evidence.business}</bdi> · <Num>{of.evidence.request}</Num>
                </span>
              </span>
            </div>
            {of.evidence.signers.map((signer, at) => (
              <div key={at}>
                <span className="grow">
                  <span className="t">
                    <bdi>{signer.name}</bdi>
                  </span>
                  <span className="s">
                    <bdi>{signer.role}</bdi>
                    {signer.at && (
                      <>
                        {' · '}
                        <Num>{formatMoment(new Date(signer.at))}</Num>
                      </>
                    )}
                  </span>
                </span>
              </div>
            ))}
          </Rows>
        </Card>
      )}
      <p className="hint text-13">{t('signing.verify.law')}</p>
      <p className="hint text-12 sg-chain">
        SHA-256 <Num>{of.sha256}</Num>
      </p>
    </>
  )
}
