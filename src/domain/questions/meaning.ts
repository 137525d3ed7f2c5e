import type { DocumentTypeName } from '../documents/kinds.ts'
import type { DimensionName, FactName, PeriodUnit } from './model.ts'

/** What a word of a question means. */
export type Meaning =
  | { is: 'fact'; fact: FactName }
  /** Papers of some types. */
  | { is: 'types'; types: readonly DocumentTypeName[] }
  | { is: 'dimension'; dimension: DimensionName; /** One of them, so that its name may follow. */ one?: true }
  | { is: 'unit'; unit: PeriodUnit }
  /** Told by this unit, in one word: monthly. */
  | { is: 'every'; unit: PeriodUnit }
  /** A figure, by the name it has in the facts that have it. */
  | { is: 'measure'; names: readonly string[] }
  | { is: 'count' | 'howMuch' | 'average' | 'most' | 'share' | 'running' }
  | { is: 'by' | 'and' | 'vs' | 'between' | 'top' | 'from' | 'new' | 'spent' | 'owing' | 'owed' }
  | { is: 'over' | 'under' }
  | { is: 'this' | 'last' | 'toDate' | 'since' | 'until' }
  | { is: 'big' | 'small' }
  | { is: 'flag'; flag: 'unpaid' | 'overdue'; not?: true }
  | { is: 'choice'; dimension: DimensionName; value: string }
  | { is: 'month'; month: number }
  | { is: 'ordinal'; n: number }
  | { is: 'half' }
  | { is: 'day'; back: number }
  | { is: 'number'; n: number }
  | { is: 'times'; n: number }
  | { is: 'period'; unit: PeriodUnit; from: number; to: number }
  | { is: 'noise' }
