import { documentTypes, type DocumentTypeName } from '../../../domain/documents/kinds.ts'
import type { DocumentType } from '../../../kit/describe/documentType.ts'
import { creditInvoice } from './creditInvoice.ts'
import { taxInvoice } from './taxInvoice.ts'

const all: readonly DocumentType[] = [taxInvoice, creditInvoice]

/** The types the product can make, by name. */
export const types: ReadonlyMap<DocumentTypeName, DocumentType> = new Map(all.map((t) => [t.name, t]))

export const typeId = (name: DocumentTypeName): number => documentTypes[name].id

/** By the numeric id clients know; undefined for one the product does not make. */
export const typeById = (id: number): DocumentType | undefined => all.find((t) => typeId(t.name) === id)

/** Types a person may begin from nothing; a credit always begins from its invoice. */
export const startable = (): DocumentType[] => all.filter((t) => !t.parts.includes('original'))
