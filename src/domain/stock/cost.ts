import { assertWhole, splitByLargestRemainder, timesFraction, type Agorot } from '../money.ts'
import type { Decimal4 } from '../quantity.ts'

/*
 * The value of stock, exact to the agora: by the moving average of all that is there, or first in first out. A
 * movement is valued when it is known and never again; where goods left before their cost was known, the difference
 * is a separate correction when they arrive.
 */

export type Costing = 'average' | 'fifo'

/** So many agorot for so much: a cost of a unit that was never rounded. */
export interface UnitCost {
  readonly agorot: Agorot
  readonly of: Decimal4
}

/** What is left of one arrival. */
export interface Layer {
  readonly day: string
  readonly seq: number
  readonly quantity: Decimal4
  readonly value: Agorot
}

export interface Held {
  readonly quantity: Decimal4
  readonly value: Agorot
  /** What a unit cost when it was last known. */
  readonly last: UnitCost
  /** By first in, first out; in the order of days, and on a day in the order they were known. */
  readonly layers: readonly Layer[]
}

export interface Step {
  readonly day: string
  readonly seq: number
  /** Came (above zero) or went. Never zero. */
  readonly quantity: Decimal4
  /** The value of what arrived, or of what is reversed; without it the ledger gives it. Never below zero. */
  readonly worth?: Agorot | undefined
  /** The arrival that is reversed. */
  readonly undoes?: Pick<Layer, 'day' | 'seq'> | undefined
}

export interface Worked {
  readonly held: Held
  /** With the sign of the quantity. */
  readonly value: Agorot
  /** More went than was there, or nobody said what it cost. */
  readonly guessed: boolean
  /**
   * What the guesses of goods that went before were wrong by: to be told as a movement of value alone. It is
   * in `held` already.
   */
  readonly correction: Agorot
}

export const nothingHeld: Held = { quantity: 0, value: 0, last: { agorot: 0, of: 0 }, layers: [] }

const at = ({ agorot, of }: UnitCost, quantity: Decimal4): Agorot =>
  of > 0 ? timesFraction(agorot, quantity, of, 'halfAwayFromZero') : 0

/**
 * What a unit costs now: by what is there, else by what was last known, else by what the item's card says.
 */
export const unitCostOf = (held: Held, said: UnitCost): UnitCost =>
  held.quantity > 0 ? { agorot: held.value, of: held.quantity } : held.last.of > 0 ? held.last : said

/** Values one movement. `said` is the cost on the item's card, for when nothing else is known. */
export function move(held: Held, step: Step, costing: Costing, said: UnitCost): Worked {
  if (step.quantity === 0) throw new RangeError('nothing moves')
  if (step.worth !== undefined && step.worth < 0) throw new RangeError('worth below zero')
  return step.quantity > 0 ? come(held, step, costing, said) : go(held, step, costing, said)
}

function come(held: Held, { day, seq, quantity, worth }: Step, costing: Costing, said: UnitCost): Worked {
  const value = worth ?? at(unitCostOf(held, said), quantity)
  const covers = held.quantity < 0 ? Math.min(quantity, -held.quantity) : 0
  // What went before it came was guessed; of what comes, this part is what it really cost.
  const costs = covers ? timesFraction(value, covers, quantity, 'halfAwayFromZero') : 0
  const guess = covers ? timesFraction(-held.value, covers, -held.quantity, 'halfAwayFromZero') : 0
  const correction = assertWhole(guess - costs)
  const layer = { day, seq, quantity: quantity - covers, value: value - costs }
  return {
    held: {
      quantity: assertWhole(held.quantity + quantity),
      value: assertWhole(held.value + value + correction),
      last: worth === undefined ? held.last : { agorot: value, of: quantity },
      layers: costing === 'fifo' && layer.quantity > 0 ? inOrder([...held.layers, layer]) : held.layers,
    },
    value,
    guessed: worth === undefined,
    correction,
  }
}

function go(held: Held, { quantity, worth, undoes }: Step, costing: Costing, said: UnitCost): Worked {
  const wanted = -quantity
  const takes = Math.min(wanted, Math.max(0, held.quantity))
  const rest = wanted - takes
  const unit = unitCostOf(held, said)
  let layers = held.layers
  let taken =
    takes === 0
      ? 0
      : takes === held.quantity
        ? held.value
        : timesFraction(held.value, takes, held.quantity, 'halfAwayFromZero')
  if (costing === 'fifo' && takes > 0) ({ layers, taken } = take(layers, takes, undoes))
  // What is reversed leaves at its arrival value, as far as the value of the rest stays at or above zero.
  else if (worth !== undefined && rest === 0 && takes < held.quantity) taken = Math.min(worth, held.value)
  const value = taken + at(unit, rest)
  return {
    held: {
      quantity: assertWhole(held.quantity - wanted),
      value: assertWhole(held.value - value),
      last: unit,
      layers,
    },
    value: value === 0 ? 0 : -value,
    guessed: rest > 0,
    correction: 0,
  }
}

/** Takes from the oldest, or first from the arrival that is reversed. */
function take(
  layers: readonly Layer[],
  quantity: Decimal4,
  undoes: Pick<Layer, 'day' | 'seq'> | undefined,
): { layers: Layer[]; taken: Agorot } {
  const own = undoes && layers.find((one) => one.seq === undoes.seq && one.day === undoes.day)
  const order = own ? [own, ...layers.filter((one) => one !== own)] : layers
  const left: Layer[] = []
  let [missing, taken] = [quantity, 0]
  for (const layer of order) {
    const part = Math.min(missing, layer.quantity)
    if (part === 0) {
      left.push(layer)
      continue
    }
    const value =
      part === layer.quantity
        ? layer.value
        : timesFraction(layer.value, part, layer.quantity, 'halfAwayFromZero')
    missing -= part
    taken += value
    if (part < layer.quantity)
      left.push({ ...layer, quantity: layer.quantity - part, value: layer.value - value })
  }
  return { layers: inOrder(left), taken }
}

const inOrder = (layers: readonly Layer[]): Layer[] =>
  layers.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : one.seq - other.seq))

/**
 * What is there is worth more or less by a sum: freight that came later, a price that was wrong. RangeError
 * when nothing is there, or it would be worth less than nothing.
 */
export function revalue(held: Held, by: Agorot): Held {
  if (held.quantity <= 0) throw new RangeError('there is nothing to revalue')
  if (held.value + by < 0) throw new RangeError('worth below zero')
  const parts = held.layers.length
    ? splitByLargestRemainder(
        held.value + by,
        held.layers.map((one) => (held.value > 0 ? one.value : one.quantity)),
      )
    : []
  return {
    ...held,
    value: held.value + by,
    layers: held.layers.map((one, i) => ({ ...one, value: parts[i]! })),
  }
}

/**
 * What each place holds of what an item is worth: by its quantity, the rest of the division with the largest
 * remainder. Places that hold nothing are worth nothing.
 */
export function valueByPlace(value: Agorot, quantities: readonly Decimal4[]): Agorot[] {
  const whole = quantities.reduce((sum, one) => sum + one, 0)
  if (whole === 0) return quantities.map((_, i) => (i === 0 ? value : 0))
  return splitByLargestRemainder(value, quantities)
}
