import type { Day } from '../day.ts'
import { inForceOn, type LawKey } from '../law/figures.ts'
import type { BasisPoints } from '../money.ts'

/*
 * Kinds of fixed assets with what is depreciated of them a year. The rates are those of the income tax
 * regulations on depreciation of 1941 and their amendments as professional pages tell them, and no advice: a
 * business that may take another one (accelerated, by shifts) writes it at the asset with its reason.
 */

export const assetKindNames = [
  'building',
  'solidBuilding',
  'improvements',
  'equipment',
  'vehicle',
  'commercialVehicle',
  'computers',
  'furniture',
  'other',
] as const
export type AssetKind = (typeof assetKindNames)[number]

/** An account by its customary number and its word key; made when the chart has none. */
export interface AssetAccount {
  readonly number: string
  readonly key: string
  readonly code6111: string
}

interface Facts {
  /** Which part of the cost is depreciated a year; nothing when the law does not say it. */
  readonly rate?: LawKey
  readonly cost: AssetAccount
  readonly worn: AssetAccount
}

const account = (number: string, key: string, code6111: string): AssetAccount => ({ number, key, code6111 })

const buildings = {
  cost: account('1540', 'buildings', '8010'),
  worn: account('1591', 'wornBuildings', '8110'),
}
const vehicles = { cost: account('1510', 'vehicles', '8040'), worn: account('1594', 'wornVehicles', '8140') }
const equipment = account('1500', 'equipment', '8030')

const kinds: Readonly<Record<AssetKind, Facts>> = {
  building: { rate: 'depreciationBuilding', ...buildings },
  // Of reinforced concrete or of stone.
  solidBuilding: { rate: 'depreciationSolidBuilding', ...buildings },
  improvements: {
    rate: 'depreciationImprovements',
    cost: account('1550', 'leaseholdImprovements', '8020'),
    worn: account('1592', 'wornImprovements', '8120'),
  },
  equipment: {
    rate: 'depreciationEquipment',
    cost: equipment,
    worn: account('1593', 'wornEquipment', '8130'),
  },
  // Private cars, vans up to three tonnes, motorcycles.
  vehicle: { rate: 'depreciationVehicle', ...vehicles },
  // Lorries, buses, taxis, cars for hire.
  commercialVehicle: { rate: 'depreciationCommercialVehicle', ...vehicles },
  computers: {
    rate: 'depreciationComputers',
    cost: account('1520', 'computers', '8050'),
    worn: account('1595', 'wornComputers', '8150'),
  },
  furniture: {
    rate: 'depreciationFurniture',
    cost: account('1530', 'furniture', '8060'),
    worn: account('1596', 'wornFurniture', '8160'),
  },
  other: { cost: equipment, worn: account('1590', 'accumulatedDepreciation', '8190') },
}

export const costAccountOf = (kind: AssetKind): AssetAccount => kinds[kind].cost
export const wornAccountOf = (kind: AssetKind): AssetAccount => kinds[kind].worn

/** What the law depreciates a year of an asset first used on a day; undefined where it names no rate. */
export function lawfulRate(kind: AssetKind, startDay: Day): BasisPoints | undefined {
  const key = kinds[kind].rate
  return key && inForceOn(key, startDay)
}

/**
 * The kind an asset bought on an account most likely is, by that account's code of form 6111; a rate tells
 * cars from lorries.
 */
export function kindOfAccount(code6111: string, rateBp: BasisPoints): AssetKind {
  if (code6111 === vehicles.cost.code6111 && rateBp === 2000) return 'commercialVehicle'
  if (code6111 === buildings.cost.code6111 && rateBp === 200) return 'solidBuilding'
  return assetKindNames.find((kind) => kind !== 'other' && kinds[kind].cost.code6111 === code6111) ?? 'other'
}
