<?php
/**
 * Plugin Name: Pinkas for WooCommerce
 * Description: Issues the document of each paid order in Pinkas, a credit for each refund, and shows the document in the order and in its mail.
 * Version: 1.0.0
 * Requires at least: 6.0
 * Requires PHP: 7.4
 * WC requires at least: 7.1
 * License: MIT
 * Text Domain: pinkas-for-woocommerce
 *
 * @package Pinkas
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

define( 'PINKAS_WC_VERSION', '1.0.0' );

require_once __DIR__ . '/includes/class-pinkas-words.php';
require_once __DIR__ . '/includes/class-pinkas-order.php';
require_once __DIR__ . '/includes/class-pinkas-client.php';
require_once __DIR__ . '/includes/class-pinkas-sender.php';
require_once __DIR__ . '/includes/class-pinkas-settings.php';
require_once __DIR__ . '/includes/class-pinkas-display.php';

// Orders may stand in tables of their own (HPOS): nothing here reads or writes posts.
add_action(
	'before_woocommerce_init',
	static function () {
		if ( class_exists( '\Automattic\WooCommerce\Utilities\FeaturesUtil' ) ) {
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', __FILE__, true );
		}
	}
);

add_action(
	'plugins_loaded',
	static function () {
		if ( ! function_exists( 'wc_get_order' ) ) {
			return;
		}
		Pinkas_Words::hook();
		Pinkas_Sender::hook();
		Pinkas_Settings::hook();
		Pinkas_Display::hook();
	}
);

register_activation_hook(
	__FILE__,
	static function () {
		if ( ! wp_next_scheduled( 'pinkas_sweep' ) ) {
			wp_schedule_event( time() + 3600, 'daily', 'pinkas_sweep' );
		}
	}
);
register_deactivation_hook(
	__FILE__,
	static function () {
		wp_clear_scheduled_hook( 'pinkas_sweep' );
	}
);
