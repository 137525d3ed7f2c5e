<?php
/**
 * Deeds in a shop on trial, from outside it: php deeds.php <folder of WordPress> <deed> <JSON of what it takes>. Prints JSON.
 * What people do by their screens (settings, checkout, the order's page) goes over HTTP and not through here.
 */

list( , $site, $deed ) = $argv;
$given                 = json_decode( $argv[3] ?? '{}', true );
$_SERVER['HTTP_HOST']  = $given['host'] ?? 'localhost';
if ( 'install' === $deed ) {
	define( 'WP_INSTALLING', true );
}
require $site . '/wp-load.php';

/** Whatever was printed on the way would spoil the answer. */
function answer( $of ) {
	while ( ob_get_level() ) {
		ob_end_clean();
	}
	echo json_encode( $of );
	exit( 0 );
}

ob_start();
$deeds = array(
	'install'  => static function ( $given ) {
		require_once ABSPATH . 'wp-admin/includes/upgrade.php';
		wp_install( 'The shop', 'keeper', 'keeper@shop.example', false, '', 'let-me-in', $given['locale'] );
		return array( 'wordpress' => $GLOBALS['wp_version'] );
	},
	'activate' => static function ( $given ) {
		require_once ABSPATH . 'wp-admin/includes/plugin.php';
		$failed = activate_plugin( $given['plugin'] );
		return array( 'failed' => is_wp_error( $failed ) ? $failed->get_error_message() : null, 'on' => is_plugin_active( $given['plugin'] ) );
	},
	'turnOff'  => static function ( $given ) {
		require_once ABSPATH . 'wp-admin/includes/plugin.php';
		deactivate_plugins( $given['plugin'] );
		return array( 'on' => is_plugin_active( $given['plugin'] ), 'sweepAt' => wp_next_scheduled( 'pinkas_sweep' ) );
	},
	// An Israeli shop: shekels, 18 % in the price, a courier, a coupon of a tenth.
	'furnish'  => static function ( $given ) {
		WC_Install::install();
		foreach ( array(
			'woocommerce_currency'                          => 'ILS',
			'woocommerce_default_country'                   => 'IL',
			'woocommerce_calc_taxes'                        => 'yes',
			'woocommerce_prices_include_tax'                => 'yes',
			'woocommerce_tax_display_cart'                  => 'incl',
			'woocommerce_tax_round_at_subtotal'             => 'no',
			'woocommerce_custom_orders_table_enabled'       => $given['hpos'] ? 'yes' : 'no',
			'woocommerce_custom_orders_table_data_sync_enabled' => 'no',
			'woocommerce_feature_site_visibility_badge_enabled' => 'no',
			'woocommerce_coming_soon'                       => 'no',
			'woocommerce_enable_guest_checkout'             => 'yes',
			'woocommerce_bacs_settings'                     => array( 'enabled' => 'yes' ),
			'timezone_string'                               => 'Asia/Jerusalem',
		) as $name => $value ) {
			update_option( $name, $value );
		}
		if ( $given['hpos'] ) {
			wc_get_container()->get( \Automattic\WooCommerce\Internal\DataStores\Orders\DataSynchronizer::class )->create_database_tables();
		}
		WC_Tax::_insert_tax_rate( array( 'tax_rate_country' => 'IL', 'tax_rate' => '18', 'tax_rate_name' => 'VAT', 'tax_rate_priority' => 1, 'tax_rate_shipping' => 1, 'tax_rate_class' => '' ) );
		$zone = new WC_Shipping_Zone();
		$zone->set_zone_name( 'IL' );
		$zone->add_location( 'IL', 'country' );
		$zone->save();
		$flat = $zone->add_shipping_method( 'flat_rate' );
		update_option( 'woocommerce_flat_rate_' . $flat . '_settings', array( 'title' => 'שליח', 'tax_status' => 'taxable', 'cost' => '24.58' ) );
		WC_Cache_Helper::get_transient_version( 'shipping', true );
		$products = array();
		foreach ( array( array( 'ספל קרמיקה', 'MUG-1', '50' ), array( 'מפת שולחן', 'CLOTH-2', '72.3' ) ) as $of ) {
			$product = new WC_Product_Simple();
			$product->set_name( $of[0] );
			$product->set_sku( $of[1] );
			$product->set_regular_price( $of[2] );
			$product->save();
			$products[] = $product->get_id();
		}
		$coupon = new WC_Coupon();
		$coupon->set_code( 'tenth' );
		$coupon->set_discount_type( 'percent' );
		$coupon->set_amount( 10 );
		$coupon->save();
		return array( 'products' => $products, 'woocommerce' => WC_VERSION );
	},
	'order'    => static function ( $given ) {
		$order = wc_get_order( $given['id'] );
		$meta  = array();
		foreach ( $order->get_meta_data() as $one ) {
			if ( 0 === strpos( $one->key, '_pinkas' ) ) {
				$meta[ $one->key ] = $one->value;
			}
		}
		$notes = array_map( static function ( $note ) { return $note->content; }, wc_get_order_notes( array( 'order_id' => $given['id'] ) ) );
		return array( 'status' => $order->get_status(), 'total' => $order->get_total(), 'key' => $order->get_order_key(), 'meta' => (object) $meta, 'notes' => $notes, 'stands' => get_class( $order->get_data_store() ), 'data' => Pinkas_Order::to_array( $order ) );
	},
	'status'   => static function ( $given ) {
		$order = wc_get_order( $given['id'] );
		$order->update_status( $given['status'] );
		return array();
	},
	// As a payment that came past every notice: by another plug-in, by the database.
	'setQuietly' => static function ( $given ) {
		$order = wc_get_order( $given['id'] );
		foreach ( array( 'woocommerce_order_status_completed', 'woocommerce_payment_complete' ) as $action ) {
			remove_action( $action, array( 'Pinkas_Sender', 'soon' ), 20 );
		}
		add_filter( 'woocommerce_email_enabled_customer_completed_order', '__return_false' );
		$order->update_status( $given['status'] );
		return array();
	},
	'adminUrl' => static function ( $given ) {
		return array( 'url' => wc_get_order( $given['id'] )->get_edit_order_url() );
	},
	'set'      => static function ( $given ) {
		update_option( 'pinkas_wc', $given['settings'], false );
		return array();
	},
	'options'  => static function ( $given ) {
		foreach ( $given['options'] as $name => $value ) {
			update_option( $name, $value );
		}
		return array();
	},
	'metas'    => static function ( $given ) {
		return (object) array_map( static function ( $all ) { return $all[0]; }, get_post_meta( $given['id'] ) );
	},
	'refund'   => static function ( $given ) {
		$refund = wc_create_refund( array( 'order_id' => $given['id'], 'amount' => $given['amount'], 'reason' => $given['reason'] ?? '' ) );
		return array( 'id' => is_wp_error( $refund ) ? $refund->get_error_message() : $refund->get_id() );
	},
	// What the queue would do by itself within a minute, and what it would do later: every action whose time has come, or every one of ours.
	'queue'    => static function ( $given ) {
		$ran = 0;
		for ( $round = 0; $round < 5; $round++ ) {
			$due = as_get_scheduled_actions( array( 'hook' => 'pinkas_send_order', 'status' => 'pending', 'per_page' => 50 ) + ( empty( $given['all'] ) ? array( 'date' => as_get_datetime_object(), 'date_compare' => '<=' ) : array() ), 'ids' );
			if ( ! $due ) {
				break;
			}
			foreach ( $due as $id ) {
				ActionScheduler::runner()->process_action( $id, 'stand' );
				++$ran;
			}
			if ( ! empty( $given['all'] ) ) {
				break;
			}
		}
		return array( 'ran' => $ran );
	},
	'waiting'  => static function () {
		$found = array();
		foreach ( as_get_scheduled_actions( array( 'hook' => 'pinkas_send_order', 'status' => 'pending', 'per_page' => 50 ) ) as $action ) {
			$found[] = array( 'args' => $action->get_args(), 'in' => $action->get_schedule()->get_date()->getTimestamp() - time() );
		}
		return $found;
	},
	'sweep'    => static function () {
		do_action( 'pinkas_sweep' );
		return array();
	},
	'shop'     => static function () {
		$fits = \Automattic\WooCommerce\Utilities\FeaturesUtil::get_compatible_plugins_for_feature( 'custom_order_tables' );
		return array(
			'sweepAt'    => wp_next_scheduled( 'pinkas_sweep' ),
			'compatible' => $fits['compatible'],
			'hpos'       => \Automattic\WooCommerce\Utilities\OrderUtil::custom_orders_table_usage_is_enabled(),
			'settings'   => get_option( 'pinkas_wc' ),
		);
	},
	'user'     => static function ( $given ) {
		$id = wp_insert_user( array( 'user_login' => $given['login'], 'user_pass' => 'let-me-in', 'user_email' => $given['login'] . '@shop.example', 'role' => $given['role'] ) );
		return array( 'id' => is_wp_error( $id ) ? $id->get_error_message() : $id );
	},
	'log'      => static function () {
		$text = '';
		foreach ( glob( trailingslashit( WC_LOG_DIR ) . 'pinkas*' ) as $file ) {
			$text .= file_get_contents( $file );
		}
		return array( 'text' => $text );
	},
);
answer( $deeds[ $deed ]( $given ) );
