import path from 'node:path'
import { formatMoment } from '#domain/format.ts'
import { isolate, isolateRuns } from '#domain/bidi.ts'
import { momentInJerusalem } from '#domain/day.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { accentOf } from '#kit/server/paper/accent.ts'
import { renderPdf } from '#kit/server/paper/engine.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { StoredAct } from './acts.ts'
import type { StoredFile, StoredRequest, StoredSigner } from './load.ts'
import { folder } from './paper/fields.ts'

type Company = Awaited<ReturnType<typeof companyOf>>

/** All that the evidence of a paper is made of. */
export interface Told {
  request: StoredRequest
  signers: readonly StoredSigner[]
  acts: readonly StoredAct[]
  file: StoredFile
  company: Company
  uploads: readonly { name: string; sha256: Buffer; signerId: string }[]
  stamped: boolean
  at: Date
}

/** Of a paper that is taken away to be signed outside, what was known when it was. */
const signedAct = ({ acts }: Told, signerId: string) =>
  acts.find(({ kind, signerId: of }) => kind === 'signed' && of === signerId) ??
  acts.findLast(({ kind, signerId: of }) => kind === 'handedOut' && of === signerId)

type Own = { subject: string; issuer: string; fingerprint: string } | undefined
const ownOf = (act: StoredAct | undefined): Own => act?.detail.certificate as Own

/** What programs read: everything that is known, in whole values. */
export function evidenceOf(told: Told): Record<string, unknown> {
  const { request: r, signers, acts, file, company, uploads, stamped } = told
  return {
    format: 'pinkas-signing/1',
    request: r.id,
    paper: r.name,
    business: { name: company.name, taxId: company.taxId },
    signature: 'electronic',
    mode: r.mode,
    stampAsked: stamped,
    file: {
      sha256: file.sha256.toString('hex'),
      originalSha256: file.originalSha256.toString('hex'),
      pages: file.pages.length,
    },
    version: r.version,
    sentAt: r.sentAt,
    signers: signers
      .filter(({ state }) => state !== 'spared')
      .map((s) => {
        const signed = signedAct(told, s.id)
        return {
          id: s.id,
          name: s.name,
          role: s.roleName,
          state: s.state,
          email: s.email,
          phone: s.phone,
          how: signed?.detail.how ?? null,
          openedAt: s.openedAt,
          signedAt: s.signedAt,
          address: signed?.address ?? null,
          agent: signed?.agent ?? null,
          language: signed?.detail.shown ?? null,
          seconds: signed?.detail.seconds ?? null,
          values: signed?.detail.values ?? null,
          delegatedFrom: s.delegatedFrom,
          // The law's word: secure only by the signer's own certificate.
          signature: signed ? (ownOf(signed) ? 'secure' : 'electronic') : null,
          certificate: ownOf(signed) ?? null,
        }
      }),
    files: uploads.map((one) => ({
      name: one.name,
      sha256: one.sha256.toString('hex'),
      signer: one.signerId,
    })),
    acts: acts.map(({ beforeHash, hash, at, ...rest }) => ({
      ...rest,
      at: new Date(at).toISOString(),
      before: beforeHash.toString('hex'),
      hash: hash.toString('hex'),
    })),
    chain: acts.at(-1)?.hash.toString('hex') ?? null,
  }
}

const rtl = (language: Language): boolean => language === 'he' || language === 'ar'

/** What one signer's part says, as pairs of name and value. */
export function signerFacts(told: Told, s: StoredSigner): [string, string][] {
  const { language } = told.request
  const direction = rtl(language) ? 'rtl' : 'ltr'
  const t = (key: string, params?: Record<string, string | number>) =>
    say(language, `signing.paper.${key}`, params)
  const signed = signedAct(told, s.id)
  const own = ownOf(signed)
  const from = told.signers.find(({ id }) => id === s.delegatedFrom)
  const when = (at: string | null) => (at ? isolate(formatMoment(new Date(at))) : '')
  const reached = [s.email, s.phone].filter((one): one is string => !!one).map(isolate)
  return (
    [
      [t('signedAt'), when(s.signedAt)],
      [
        t('signature'),
        signed?.kind === 'handedOut'
          ? t('outside')
          : signed
            ? own
              ? t('secure', {
                  subject: isolateRuns(own.subject, direction),
                  issuer: isolateRuns(own.issuer, direction),
                })
              : t('electronic')
            : '',
      ],
      [t('openedAt'), when(s.openedAt)],
      [t('how'), signed ? t(`identified.${String(signed.detail.how)}`) : t(`state.${s.state}`)],
      [t('reached'), reached.join(', ')],
      [t('address'), signed ? isolate(signed.address) : ''],
      [t('agent'), signed ? isolate(signed.agent.slice(0, 160)) : ''],
      [
        t('read'),
        signed
          ? t('readFor', {
              language: say(language, `signing.languages.${String(signed.detail.shown)}`),
              seconds: Number(signed.detail.seconds ?? 0),
            })
          : '',
      ],
      [t('values'), signed?.detail.values ? isolate(String(signed.detail.values)) : ''],
      [t('delegatedFrom'), from ? isolateRuns(from.name, direction) : ''],
    ] as [string, string][]
  ).filter(([, value]) => value !== '')
}

function common(told: Told, language: Language) {
  const direction = rtl(language) ? 'rtl' : 'ltr'
  const t = (key: string, params?: Record<string, string | number>) =>
    say(language, `signing.paper.${key}`, params)
  const moment = momentInJerusalem(told.at)
  const free = (text: string) => isolateRuns(text, direction)
  return {
    free,
    t,
    data: {
      language,
      direction,
      accent: accentOf(told.company.accent),
      fileTitle: told.request.name,
      author: told.company.name,
      madeAt: [...moment.day.split('-'), ...moment.time.split(':'), '0'].map(Number),
      footer: {
        pieces: [free(told.company.name), isolate(told.request.id)],
        page: t('page', { page: '{page}', pages: '{pages}' }),
      },
      title: t('title'),
      paper: free(told.request.name),
      facts: (
        [
          [t('business'), `${free(told.company.name)}, ${isolate(told.company.taxId)}`],
          [t('request'), isolate(told.request.id)],
          [t('sentAt'), isolate(formatMoment(new Date(told.request.sentAt)))],
          [t('sender'), told.request.sender ? free(told.request.sender) : ''],
          [t('fileHash'), isolate(told.file.sha256.toString('hex'))],
          [t('originalHash'), isolate(told.file.originalSha256.toString('hex'))],
          [t('chainHash'), isolate(told.acts.at(-1)?.hash.toString('hex') ?? '')],
        ] as [string, string][]
      ).filter(([, value]) => value !== ''),
      law: [t('lawKinds'), t(told.stamped ? 'lawStamped' : 'lawPlain'), t('lawCheck')],
    },
  }
}

/**
 * The pages of evidence. `panels`: with what each signer did; without, their places stay empty for a form.
 */
export async function evidencePdf(told: Told): Promise<Uint8Array> {
  const { language } = told.request
  const { free, t, data } = common(told, language)
  const names = new Map(told.signers.map(({ id, name }) => [id, name]))
  return renderPdf({
    template: path.join(folder, 'sign-evidence.typ'),
    data: {
      ...data,
      signers: told.signers
        .filter(({ state }) => state === 'signed' || state === 'delegated' || state === 'declined')
        .map((s) => ({ name: free(s.name), role: free(s.roleName), facts: signerFacts(told, s) })),
      historyTitle: t('history'),
      history: told.acts.map((one) => ({
        no: String(one.no),
        at: formatMoment(new Date(one.at)),
        what: [t(`act.${one.kind}`), one.signerId ? free(names.get(one.signerId) ?? '') : '']
          .filter(Boolean)
          .join(' · '),
        hash: one.hash.toString('hex').slice(0, 16),
      })),
    },
    standard: '1.7',
    tagged: false,
  })
}

export { common as evidenceCommon }
export type { Ctx }
