import { z } from 'zod'
import { vatShareNames } from '#domain/vat/shares.ts'
import { documentKinds } from '#domain/papers/proposal.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue } from '#kit/fields/schema.ts'
import { expenseInput } from '#features/purchases/expenses/endpoints.ts'
import { maxFileBytes } from '#features/base/files/endpoints.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api4/invoice/papers'
const enter = { rule: 'expenses.enter' } as const
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })

export const paperSources = ['upload', 'phone', 'mail'] as const
export const paperStates = ['waiting', 'reading', 'read', 'filed', 'rejected'] as const
export const paperProblems = ['broken', 'tooLarge', 'locked', 'tooSlow', 'failed'] as const

/** Thousandths of the page, from the upper left; pages count from 0. */
const spot = z.object({
  page: z.number().int().min(0).max(99),
  x: z.number().min(0).max(1000),
  y: z.number().min(0).max(1000),
  w: z.number().min(0).max(1000),
  h: z.number().min(0).max(1000),
})
const guess = <T extends z.ZodType>(value: T) =>
  z
    .object({
      value,
      /** 0 to 1. */
      confidence: z.number(),
      reason: z.string(),
      spots: z.array(spot),
    })
    .nullable()

const proposal = z.object({
  supplierName: guess(z.string()),
  supplierTaxId: guess(z.string()),
  /** The number beside who the bill is addressed to. */
  buyerTaxId: guess(z.string()),
  number: guess(z.string()),
  day: guess(z.string()),
  dueDay: guess(z.string()),
  netAgorot: guess(z.number()),
  vatAgorot: guess(z.number()),
  totalAgorot: guess(z.number()),
  /** What was paid before the bill and is in its total. */
  prepaidAgorot: guess(z.number()),
  currency: guess(z.string()),
  allocationNumber: guess(z.string()),
  documentKind: guess(z.enum(documentKinds)),
})
export type ProposalAnswer = z.output<typeof proposal>

const paperRow = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(paperSources),
  /** Who mailed it. */
  sender: z.string(),
  subject: z.string(),
  state: z.enum(paperStates),
  problem: z.enum(paperProblems).nullable(),
  duplicateOf: z.string().nullable(),
  hasPicture: z.boolean(),
  isNote: z.boolean(),
  exact: z.boolean(),
  pageCount: z.number(),
  supplierName: z.string().nullable(),
  number: z.string().nullable(),
  day: z.string().nullable(),
  totalAgorot: z.number().nullable(),
  currency: z.string(),
  documentKind: z.enum(documentKinds).nullable(),
  /** Of the sum; null when nothing was read. */
  confidence: z.number().nullable(),
  expenseId: z.string().nullable(),
  createdAt: z.string(),
})
const question = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type PaperQuestion = z.output<typeof question>

export type PaperRow = z.output<typeof paperRow>

export const listPapers = defineEndpoint({
  name: 'papers.list',
  method: 'GET',
  path: base,
  access: enter,
  input: z.object({
    state: z.enum(['open', 'filed', 'rejected']).default('open'),
    q: z.string().max(100).optional(),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({
    rows: z.array(paperRow),
    nextCursor: z.string().nullable(),
    counts: z.object({ open: z.number(), unread: z.number(), filed: z.number(), rejected: z.number() }),
  }),
  summary:
    'The inbox of papers that wait to become expenses, oldest first; what was filed or rejected newest first',
})

export const addPaper = defineEndpoint({
  name: 'papers.add',
  method: 'POST',
  path: base,
  access: enter,
  forDrafts: true,
  upload: { maxBytes: maxFileBytes },
  input: z.object({
    name: z.string().trim().min(1, { error: 'fields.need' }).max(200, { error: 'fields.tooLong' }),
    source: z.enum(['upload', 'phone']).default('upload'),
    bytes: bytesValue,
  }),
  output: paperRow,
  summary:
    'Puts a paper into the inbox (PDF, picture, or XML of an electronic invoice); it is read afterwards',
  errors: ['capture.badType', 'files.badType', 'files.broken', 'files.overQuota'],
})

const paper = paperRow.extend({
  note: z.string(),
  mime: z.string().nullable(),
  fileId: z.string().nullable(),
  pageFrom: z.number().nullable(),
  pageTo: z.number().nullable(),
  proposal,
  /** Of an electronic invoice. */
  lines: z.array(
    z.object({
      description: z.string(),
      quantity: z.string(),
      netAgorot: z.number(),
      vatAgorot: z.number().nullish(),
      vatRateBp: z.number().nullable(),
    }),
  ),
  pages: z.array(
    z.object({
      width: z.number(),
      height: z.number(),
      /** [text, x, y, w, h, confidence]: thousandths of the page and per cent. */
      words: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number(), z.number()])),
    }),
  ),
  supplier: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** What the supplier's papers usually become. */
  usual: z.object({
    typeId: z.string().nullable(),
    vatShare: z.enum(vatShareNames).nullable(),
    projectId: z.string().nullable(),
    means: z.string(),
    claimsVat: z.boolean(),
    /** The rule of the business that says so. */
    rule: z.string().nullable(),
  }),
  /** Questions about it as it was read; a paper filed with an open question waits for approval. */
  questions: z.array(question),
  duplicate: z
    .object({
      id: z.string(),
      name: z.string(),
      state: z.enum(paperStates),
      expenseId: z.string().nullable(),
    })
    .nullable(),
  previousId: z.string().nullable(),
  nextId: z.string().nullable(),
})
export type PaperAnswer = z.output<typeof paper>

export const getPaper = defineEndpoint({
  name: 'papers.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: enter,
  input: byId,
  output: paper,
  summary:
    'One paper with what was read from it, the words of its pages with their places, and its neighbours in the inbox',
  errors: ['kit.notFound'],
})
export const paperPicture = defineEndpoint({
  name: 'papers.picture',
  method: 'GET',
  path: `${base}/{id}/picture`,
  access: enter,
  input: z.object({ id: z.uuid(), page: queryNumber(z.int().min(0).max(99)).default(0) }),
  output: z.any(),
  file: true,
  summary: 'A page of a paper as a JPEG, upright; its words have their places on this picture',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const paperThumbnail = defineEndpoint({
  name: 'papers.thumbnail',
  method: 'GET',
  path: `${base}/{id}/thumbnail`,
  access: enter,
  input: byId,
  output: z.any(),
  file: true,
  summary: 'A small picture of the first page, 320 pixels at most',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const filePaper = defineEndpoint({
  name: 'papers.file',
  method: 'POST',
  path: `${base}/{id}/file`,
  access: enter,
  forDrafts: true,
  input: z.strictObject({
    id: z.uuid(),
    expense: expenseInput.omit({ source: true, fileIds: true, recurringId: true }),
    /** The caller has checked the questions about it; without this a bill with a question waits for approval. */
    confirmed: z.boolean().optional(),
    /** Where the person saw the values, to be known at this supplier's next paper. */
    spots: z.partialRecord(z.enum(['number', 'day', 'dueDay', 'net', 'vat', 'total']), spot).optional(),
  }),
  output: z.object({ expenseId: z.string(), state: z.string(), nextId: z.string().nullable() }),
  summary: 'Makes an expense of a paper, with the paper attached',
  errors: [
    'kit.notFound',
    'capture.alreadyFiled',
    'expenses.duplicate',
    'ledger.noAccount',
    'ledger.periodClosed',
  ],
})
export const rejectPaper = defineEndpoint({
  name: 'papers.reject',
  method: 'POST',
  path: `${base}/{id}/reject`,
  access: enter,
  input: byId,
  output: z.object({ nextId: z.string().nullable() }),
  summary: 'Puts a paper aside: it is no expense',
  errors: ['kit.notFound', 'capture.alreadyFiled'],
})
export const restorePaper = defineEndpoint({
  name: 'papers.restore',
  method: 'POST',
  path: `${base}/{id}/restore`,
  access: enter,
  input: byId,
  output: done,
  summary: 'Takes a rejected paper back into the inbox',
  errors: ['kit.notFound', 'capture.notWaiting'],
})
export const readPaperAgain = defineEndpoint({
  name: 'papers.read',
  method: 'POST',
  path: `${base}/{id}/read`,
  access: enter,
  forDrafts: true,
  input: byId,
  output: done,
  summary: 'Reads a paper once more',
  errors: ['kit.notFound', 'capture.alreadyFiled'],
})
export const splitPaper = defineEndpoint({
  name: 'papers.split',
  method: 'POST',
  path: `${base}/{id}/split`,
  access: enter,
  forDrafts: true,
  input: z.strictObject({
    id: z.uuid(),
    /**
     * The pages, counted from 1, with which each further paper begins: [2, 4] makes 1, 2–3 and 4 to the end.
     */
    begins: z.array(z.number().int().min(2).max(99)).min(1, { error: 'fields.need' }).max(50),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  summary: 'Makes several papers of a file that holds several',
  errors: ['kit.notFound', 'capture.cannotSplit', 'capture.alreadyFiled'],
})

const mailAddress = z.object({
  /** Null until somebody turns it on. */
  address: z.string().nullable(),
  active: z.boolean(),
  /** Whether this server takes letters at all (MAIL_IN_PORT). */
  receiving: z.boolean(),
  mayChange: z.boolean(),
})
export const getMailAddress = defineEndpoint({
  name: 'papers.mailAddress',
  method: 'GET',
  path: `${base}/address`,
  access: enter,
  input: z.object({}),
  output: mailAddress,
  summary: 'The address that papers are mailed to',
})
export const changeMailAddress = defineEndpoint({
  name: 'papers.changeMailAddress',
  method: 'POST',
  path: `${base}/address`,
  access: { rule: 'expenses.settings' },
  input: z.strictObject({ active: z.boolean(), renew: z.boolean().optional() }),
  output: mailAddress,
  summary: 'Turns the mail address on or off, or gives it a new random part; the old one ends at once',
})
